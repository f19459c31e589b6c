# The tool: the public API only. The benchmarks may also use the header-only parts of src and its threads.
file(GLOB_RECURSE MOTE_CLI_SOURCES CONFIGURE_DEPENDS apps/*.c)
list(FILTER MOTE_CLI_SOURCES EXCLUDE REGEX "/apps/web/")
file(GLOB MOTE_BENCH_SOURCES CONFIGURE_DEPENDS bench/*.c)
add_library(mote-bench OBJECT ${MOTE_BENCH_SOURCES})
target_include_directories(mote-bench PRIVATE src apps bench)
target_link_libraries(mote-bench PRIVATE mote)
if(BUILD_SHARED_LIBS)  # whose internals are hidden
  target_sources(mote-bench PRIVATE src/base/parallel.c src/base/clock.c)
  if(MOTE_THREADS)
    target_sources(mote-bench PRIVATE src/base/pool.c)
  endif()
endif()
# The scenes of scenes/ and the edits and keys of scenes/deform/, and those of figures, are part of the program.
function(mote_embed folder table)
  file(GLOB scenes CONFIGURE_DEPENDS ${folder}/*.yaml)
  add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/${table}_data.c DEPENDS ${scenes} cmake/embed.cmake
    COMMAND ${CMAKE_COMMAND} -DSCENES=${CMAKE_SOURCE_DIR}/${folder} -DTABLE=${table}
            -DOUT=${CMAKE_BINARY_DIR}/${table}_data.c -P ${CMAKE_SOURCE_DIR}/cmake/embed.cmake)
endfunction()
mote_embed(scenes examples)
mote_embed(scenes/deform deform_examples)
mote_embed(apps/figures figure_scenes)
set(MOTE_EXAMPLES ${CMAKE_BINARY_DIR}/examples_data.c ${CMAKE_BINARY_DIR}/deform_examples_data.c
    ${CMAKE_BINARY_DIR}/figure_scenes_data.c)
add_custom_target(mote-build-data BYPRODUCTS ${CMAKE_BINARY_DIR}/build_data.c
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_SOURCE_DIR} -DOUT=${CMAKE_BINARY_DIR}/build_data.c
          "-DBUILD=${CMAKE_BUILD_TYPE} build by ${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION} for ${CMAKE_SYSTEM_NAME} ${CMAKE_SYSTEM_PROCESSOR}"
          -P ${CMAKE_SOURCE_DIR}/cmake/build_data.cmake VERBATIM)
set_source_files_properties(${CMAKE_BINARY_DIR}/build_data.c PROPERTIES GENERATED ON)
add_executable(mote-tool ${MOTE_CLI_SOURCES} ${MOTE_EXAMPLES} ${CMAKE_BINARY_DIR}/build_data.c
               $<TARGET_OBJECTS:mote-bench>)
add_dependencies(mote-tool mote-build-data)
target_include_directories(mote-tool PRIVATE apps)
set_target_properties(mote-tool PROPERTIES OUTPUT_NAME mote)
target_link_libraries(mote-tool PRIVATE mote-io mote ${CMAKE_THREAD_LIBS_INIT})
# Manual pages and completion are made from the tool's own tables of commands and options.
if(NOT CMAKE_CROSSCOMPILING)
  add_custom_command(TARGET mote-tool POST_BUILD COMMAND mote-tool help --pages ${CMAKE_BINARY_DIR}/pages VERBATIM)
endif()
