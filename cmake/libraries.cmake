# libmote: every folder of src but those of libmote-io. It depends on nothing but libc with its threads and libm.
file(GLOB MOTE_CORE_SOURCES CONFIGURE_DEPENDS src/base/*.c src/num/*.c src/geom/*.c src/scene/*.c
     src/particles/*.c src/search/*.c src/approx/*.c src/material/*.c src/elastic/*.c src/lattice/*.c src/contact/*.c src/pairs/*.c
     src/fluid/*.c src/heat/*.c src/mesh/*.c src/surface/*.c src/track/*.c src/deform/*.c src/things/*.c src/state/*.c src/matter/*.c src/stages/*.c src/world/*.c)
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
file(GLOB MOTE_SOLVER_SOURCES CONFIGURE_DEPENDS src/elastic/*.c src/lattice/*.c src/deform/*.c src/contact/*.c src/pairs/*.c src/fluid/*.c src/heat/*.c)
set_source_files_properties(${MOTE_SOLVER_SOURCES} PROPERTIES COMPILE_OPTIONS "$<$<CONFIG:Release>:-O3>")
set_target_properties(mote PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})

# libmote-io: files, plots and pictures, on the public API of libmote.
if(MOTE_TOOL)
  find_package(PNG REQUIRED)
  find_package(ZLIB REQUIRED)
  find_path(MOTE_YAML_INCLUDE yaml.h REQUIRED)
  find_library(MOTE_YAML_LIBRARY yaml REQUIRED)
  file(GLOB MOTE_IO_SOURCES CONFIGURE_DEPENDS src/io/*.c src/language/*.c src/draw/*.c src/render/*.c)
  if(MOTE_RENDER)
    include(cmake/embree.cmake)
    list(FILTER MOTE_IO_SOURCES EXCLUDE REGEX "src/render/trace_no_embree\\.c$")
    set_source_files_properties(src/render/trace_embree.c PROPERTIES
      COMPILE_DEFINITIONS MOTE_EMBREE=${MOTE_EMBREE} INCLUDE_DIRECTORIES ${MOTE_EMBREE_INCLUDE})
  else()
    message(STATUS "no Embree: mote render draws previews and sections only (MOTE_RENDER=OFF)")
    list(FILTER MOTE_IO_SOURCES EXCLUDE REGEX "src/render/trace_embree\\.c$")
  endif()
  add_library(mote-io ${MOTE_IO_SOURCES})
  add_library(mote::io ALIAS mote-io)
  target_include_directories(mote-io PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_include_directories(mote-io SYSTEM PRIVATE ${MOTE_YAML_INCLUDE})
  target_link_libraries(mote-io PUBLIC mote PRIVATE PNG::PNG ZLIB::ZLIB ${MOTE_YAML_LIBRARY}
    ${MOTE_EMBREE_LIBRARY})
  set_target_properties(mote-io PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
    EXPORT_NAME io)
endif()
