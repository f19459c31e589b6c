# The Python package (docs/python.md) in build/python/mote: mote._mote, made by cffi from the public headers for the stable
# ABI of CPython, with libmote and libmote-io inside, and the files of python/mote. MOTE_PYTHON_PROGRAM: an interpreter with cffi.
if(NOT MOTE_TOOL OR BUILD_SHARED_LIBS)
  message(FATAL_ERROR "MOTE_PYTHON needs MOTE_TOOL and static libraries")
endif()
set(MOTE_PYTHON_PROGRAM "" CACHE FILEPATH "The interpreter that builds and tests the Python package; default: one that has what it needs")
set(modules cffi)
if(MOTE_TESTS)
  list(APPEND modules numpy)
endif()
list(JOIN modules ", " modules)
find_program(MOTE_PYTHON_FOUND python3)
mark_as_advanced(MOTE_PYTHON_FOUND)
foreach(program ${MOTE_PYTHON_PROGRAM} ${MOTE_PYTHON_FOUND} /usr/bin/python3)
  execute_process(COMMAND ${program} -c "import ${modules}, sysconfig; print(sysconfig.get_path('include'))"
                  OUTPUT_VARIABLE python_include OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed AND EXISTS ${python_include}/Python.h)
    set(python_program ${program})
    break()
  endif()
endforeach()
if(NOT python_program)
  message(FATAL_ERROR "no python3 with ${modules} and the headers of CPython (Debian, Ubuntu: python3-dev, python3-cffi, python3-numpy)")
endif()

set(python ${CMAKE_BINARY_DIR}/python/mote)
file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/include/mote/*.h)
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/python/_mote.c DEPENDS ${headers} ${CMAKE_SOURCE_DIR}/python/build_ffi.py
  COMMAND ${CMAKE_COMMAND} -E make_directory ${python}
  COMMAND ${python_program} ${CMAKE_SOURCE_DIR}/python/build_ffi.py ${CMAKE_C_COMPILER} ${CMAKE_SOURCE_DIR}/include
          ${CMAKE_BINARY_DIR}/python/_mote.c > ${CMAKE_BINARY_DIR}/python/build_ffi.log
  VERBATIM)
add_library(mote-python MODULE ${CMAKE_BINARY_DIR}/python/_mote.c)
target_include_directories(mote-python SYSTEM PRIVATE ${python_include})
target_compile_options(mote-python PRIVATE -w -O1)  # generated: 20,000 lines that only pass arguments on
target_link_libraries(mote-python PRIVATE mote-io mote ${CMAKE_THREAD_LIBS_INIT})
set_target_properties(mote-python PROPERTIES PREFIX "" OUTPUT_NAME _mote SUFFIX .abi3.so C_VISIBILITY_PRESET default
  LIBRARY_OUTPUT_DIRECTORY ${python})
add_dependencies(mote-python mote-tool)  # World.run() calls it

file(GLOB python_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/python/mote/*.py ${CMAKE_SOURCE_DIR}/python/mote/*.pyi
     ${CMAKE_SOURCE_DIR}/python/mote/py.typed)
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/python/copied DEPENDS ${python_files}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${python}
  COMMAND ${CMAKE_COMMAND} -E copy ${python_files} ${python}
  COMMAND ${CMAKE_COMMAND} -E touch ${CMAKE_BINARY_DIR}/python/copied VERBATIM)
add_custom_target(mote-python-files ALL DEPENDS ${CMAKE_BINARY_DIR}/python/copied)
add_dependencies(mote-python mote-python-files)

# cmake --install build --component python: where the interpreter finds it, below the prefix.
execute_process(COMMAND ${python_program} -c "import os, sysconfig; print(os.path.relpath(sysconfig.get_path('platlib'), sysconfig.get_path('data')))"
                OUTPUT_VARIABLE python_site OUTPUT_STRIP_TRAILING_WHITESPACE)
set(MOTE_PYTHON_SITE ${python_site} CACHE STRING "Where the Python package is installed, below the prefix")
install(TARGETS mote-python LIBRARY DESTINATION ${MOTE_PYTHON_SITE}/mote COMPONENT python EXCLUDE_FROM_ALL)
install(FILES ${python_files} DESTINATION ${MOTE_PYTHON_SITE}/mote COMPONENT python EXCLUDE_FROM_ALL)
install(TARGETS mote-tool RUNTIME DESTINATION ${MOTE_PYTHON_SITE}/mote/bin COMPONENT python EXCLUDE_FROM_ALL)
