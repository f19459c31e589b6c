# The tool: the public API only.
file(GLOB MOTE_CLI_SOURCES CONFIGURE_DEPENDS apps/cli/*.c bench/*.c)
add_executable(mote-tool ${MOTE_CLI_SOURCES})
set_target_properties(mote-tool PROPERTIES OUTPUT_NAME mote)
target_include_directories(mote-tool PRIVATE apps/cli)
target_link_libraries(mote-tool PRIVATE mote-io mote)
