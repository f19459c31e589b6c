# The tool: the public API only. The benchmarks may also use the header-only parts of src and its threads.
file(GLOB MOTE_CLI_SOURCES CONFIGURE_DEPENDS apps/cli/*.c apps/cli/run/*.c apps/cli/deform/*.c
     apps/cli/validate/*.c)
file(GLOB MOTE_BENCH_SOURCES CONFIGURE_DEPENDS bench/*.c)
add_library(mote-bench OBJECT ${MOTE_BENCH_SOURCES})
target_include_directories(mote-bench PRIVATE src apps/cli apps/cli/validate bench)
target_link_libraries(mote-bench PRIVATE mote)
if(BUILD_SHARED_LIBS)  # whose internals are hidden
  target_sources(mote-bench PRIVATE src/base/parallel.c src/base/clock.c)
  if(MOTE_THREADS)
    target_sources(mote-bench PRIVATE src/base/pool.c)
  endif()
endif()
# The scenes of scenes/ are part of the program.
file(GLOB MOTE_SCENES CONFIGURE_DEPENDS scenes/*.yaml)
set(MOTE_EXAMPLES ${CMAKE_BINARY_DIR}/examples_data.c)
add_custom_command(OUTPUT ${MOTE_EXAMPLES} DEPENDS ${MOTE_SCENES} cmake/embed.cmake
  COMMAND ${CMAKE_COMMAND} -DSCENES=${CMAKE_SOURCE_DIR}/scenes -DOUT=${MOTE_EXAMPLES} -P ${CMAKE_SOURCE_DIR}/cmake/embed.cmake)
add_executable(mote-tool ${MOTE_CLI_SOURCES} ${MOTE_EXAMPLES} $<TARGET_OBJECTS:mote-bench>)
target_include_directories(mote-tool PRIVATE apps/cli apps/cli/run apps/cli/deform apps/cli/validate)
set_target_properties(mote-tool PROPERTIES OUTPUT_NAME mote)
target_link_libraries(mote-tool PRIVATE mote-io mote ${CMAKE_THREAD_LIBS_INIT})
