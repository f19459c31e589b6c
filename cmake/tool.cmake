# The tool: the public API only. The benchmarks may also use the header-only parts of src and its threads.
file(GLOB MOTE_CLI_SOURCES CONFIGURE_DEPENDS apps/cli/*.c)
file(GLOB MOTE_BENCH_SOURCES CONFIGURE_DEPENDS bench/*.c)
add_library(mote-bench OBJECT ${MOTE_BENCH_SOURCES})
target_include_directories(mote-bench PRIVATE src apps/cli bench)
target_link_libraries(mote-bench PRIVATE mote)
if(BUILD_SHARED_LIBS)  # whose internals are hidden
  target_sources(mote-bench PRIVATE src/base/parallel.c)
endif()
add_executable(mote-tool ${MOTE_CLI_SOURCES} $<TARGET_OBJECTS:mote-bench>)
set_target_properties(mote-tool PROPERTIES OUTPUT_NAME mote)
target_link_libraries(mote-tool PRIVATE mote-io mote ${OpenMP_C_LIBRARIES})
