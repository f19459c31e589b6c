#!/bin/sh
# Every public header compiles alone, as C and as C++, and so does every header of src; those of src/rows with both
# compilers and as OpenCL C.
set -eu
cd "$(dirname "$0")/../.."
for header in include/mote/*.h; do
  ${CC:-cc} -std=c17 -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only -x c "$header"
  ${CXX:-c++} -std=c++17 -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only -x c++ "$header"
done
for header in $(find src -name "*.h"); do
  ${CC:-cc} -std=c17 -Wall -Wextra -Werror -Wno-unused-function -Iinclude -Isrc -fsyntax-only -x c "$header"
done
for header in src/rows/*.h; do
  for compiler in gcc clang; do
    $compiler -std=c17 -Wall -Wextra -Wpedantic -Werror -Wno-unused-function -Iinclude -Isrc -fsyntax-only -x c "$header"
  done
  for language in CL1.2 CL2.0; do
    clang -x cl -cl-std=$language -Wall -Wextra -Werror -Wno-unused-function -Isrc -fsyntax-only "$header"
  done
done
