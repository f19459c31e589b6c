# What "mote --version" says of its build: cmake -DSOURCE=... -DBUILD=... -DOUT=... -P build_data.cmake, in each build. OUT is
# written where it changes only. The commit is that of the working tree, or the one of which "make dist" was made.
file(READ ${SOURCE}/cmake/commit.txt commit)
string(STRIP "${commit}" commit)
if(commit MATCHES "Format")
  execute_process(COMMAND git describe --always --dirty --abbrev=8 --exclude=* WORKING_DIRECTORY ${SOURCE}
                  OUTPUT_VARIABLE commit ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
  if(failed)
    set(commit unknown)
  endif()
endif()
set(text "// Written by cmake/build_data.cmake.
#include \"cli/base/cli.h\"

const char build_commit[] = \"${commit}\", build_how[] = \"${BUILD}\";
")
set(old "")
if(EXISTS ${OUT})
  file(READ ${OUT} old)
endif()
if(NOT old STREQUAL text)
  file(WRITE ${OUT} "${text}")
endif()
