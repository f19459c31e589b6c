# The core in a browser (make web): libmote, readers of scenes and files, libyaml and zlib from their sources, and the calls of
# apps/web/web.c, as one WebAssembly module. MOTE_WEB names the folder of the sources that apps/web/sources.sh fetched.
# Solvers are built as natively, folders that run once in a scene for size.
file(GLOB MOTE_WEB_YAML ${MOTE_WEB}/libyaml/src/*.c)
list(FILTER MOTE_WEB_YAML EXCLUDE REGEX "(dumper|emitter|writer)\\.c$")
file(GLOB MOTE_WEB_ZLIB ${MOTE_WEB}/zlib/*.c)
mote_sources(io MOTE_WEB_IO)
list(FILTER MOTE_WEB_IO INCLUDE REGEX "src/(io|language)/")
add_library(mote-web-libraries OBJECT ${MOTE_WEB_YAML} ${MOTE_WEB_ZLIB})
set_target_properties(mote-web-libraries PROPERTIES C_STANDARD 99 C_EXTENSIONS ON)
target_include_directories(mote-web-libraries PRIVATE ${MOTE_WEB}/libyaml/include ${MOTE_WEB}/zlib)
target_compile_definitions(mote-web-libraries PRIVATE HAVE_UNISTD_H YAML_DECLARE_STATIC YAML_VERSION_MAJOR=0
  YAML_VERSION_MINOR=2 YAML_VERSION_PATCH=5 YAML_VERSION_STRING="0.2.5")
target_compile_options(mote-web-libraries PRIVATE -w -Os)
add_executable(mote-web ${MOTE_WEB_IO} apps/web/web.c $<TARGET_OBJECTS:mote-web-libraries>)
target_include_directories(mote-web PRIVATE src)
target_include_directories(mote-web SYSTEM PRIVATE ${MOTE_WEB}/libyaml/include ${MOTE_WEB}/zlib)
target_compile_options(mote-web PRIVATE -Os)
target_link_libraries(mote-web PRIVATE mote)
file(GLOB MOTE_WEB_COLD src/scene/*.c src/state/*.c src/fragments/*.c src/deform/*.c src/surface/*.c src/geom/*.c src/march/*.c
  src/mesh/*.c src/things/*.c src/matter/*.c src/commands/*.c src/world/*.c src/kinds/*/*_make.c)
set_source_files_properties(${MOTE_WEB_COLD} PROPERTIES COMPILE_OPTIONS -Os)
set(web_link -O2 -sMODULARIZE=1 -sEXPORT_NAME=MoteCore -sALLOW_MEMORY_GROWTH=1 -sENVIRONMENT=web,worker,node
  -sEXPORTED_RUNTIME_METHODS=stringToUTF8,lengthBytesUTF8,UTF8ToString,FS -sEXPORTED_FUNCTIONS=_malloc,_free
  -sFORCE_FILESYSTEM=1 -sINITIAL_MEMORY=33554432 -sTOTAL_STACK=1048576 --no-entry)
if(MOTE_THREADS)
  list(APPEND web_link -pthread -sPTHREAD_POOL_SIZE=4)
endif()
target_link_options(mote-web PRIVATE ${web_link})
set_target_properties(mote-web PROPERTIES OUTPUT_NAME mote_core)
