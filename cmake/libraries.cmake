# The folders of a library, in the order of src/layers.txt: a line that begins with its name. src/kinds/NAME need not be named.
function(mote_sources library out)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/layers.txt)
  file(STRINGS ${CMAKE_SOURCE_DIR}/src/layers.txt folders REGEX "^${library} ")
  string(REGEX REPLACE " +" ";" folders "${folders}")
  list(POP_FRONT folders)
  if(library STREQUAL core)
    list(APPEND folders kinds/*)
  endif()
  list(TRANSFORM folders REPLACE "(.+)" "src/\\1/*.c")
  file(GLOB sources CONFIGURE_DEPENDS ${folders})
  list(REMOVE_DUPLICATES sources)
  set(${out} ${sources} PARENT_SCOPE)
endfunction()

# libmote: every folder of src but those of libmote-io. It depends on nothing but libc with its threads and libm.
mote_sources(core MOTE_CORE_SOURCES)
if(NOT MOTE_THREADS)
  list(FILTER MOTE_CORE_SOURCES EXCLUDE REGEX "src/base/pool\\.c$")
endif()
add_library(mote ${MOTE_CORE_SOURCES})
add_library(mote::mote ALIAS mote)
target_include_directories(mote
  PUBLIC $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
  PRIVATE ${CMAKE_SOURCE_DIR}/src)
target_link_libraries(mote PUBLIC m)
if(MOTE_THREADS)
  find_package(Threads REQUIRED)
  set_source_files_properties(src/base/parallel.c PROPERTIES COMPILE_DEFINITIONS MOTE_THREADS)
  target_link_libraries(mote PRIVATE Threads::Threads)
endif()
# Loops over three axes and four lanes stay loops at -O2, and their values in memory: 12 % of a fluid's step.
file(GLOB MOTE_SOLVER_SOURCES CONFIGURE_DEPENDS src/elastic/*.c src/cracks/*.c src/lattice/*.c src/deform/*.c src/contact/*.c src/pairs/*.c src/fluid/*.c src/heat/*.c)
set_source_files_properties(${MOTE_SOLVER_SOURCES} PROPERTIES COMPILE_OPTIONS "$<$<CONFIG:Release>:-O3>")
set_target_properties(mote PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})

# libmote-io: files, plots and pictures, on the public API of libmote.
if(MOTE_TOOL)
  find_package(PNG REQUIRED)
  find_package(ZLIB REQUIRED)
  find_path(MOTE_YAML_INCLUDE yaml.h REQUIRED)
  find_library(MOTE_YAML_LIBRARY yaml REQUIRED)
  find_path(MOTE_EMBREE_INCLUDE embree3/rtcore.h REQUIRED)
  find_library(MOTE_EMBREE_LIBRARY embree3 REQUIRED)
  mote_sources(io MOTE_IO_SOURCES)
  add_library(mote-io ${MOTE_IO_SOURCES})
  add_library(mote::io ALIAS mote-io)
  target_include_directories(mote-io PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_include_directories(mote-io SYSTEM PRIVATE ${MOTE_YAML_INCLUDE} ${MOTE_EMBREE_INCLUDE})
  target_link_libraries(mote-io PUBLIC mote PRIVATE PNG::PNG ZLIB::ZLIB ${MOTE_YAML_LIBRARY}
    ${MOTE_EMBREE_LIBRARY})
  set_target_properties(mote-io PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
    EXPORT_NAME io)
endif()
