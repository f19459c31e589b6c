#!/bin/sh
# Every public header compiles alone, as C and as C++, and so does every header of src.
set -eu
cd "$(dirname "$0")/../.."
for header in include/mote/*.h; do
  ${CC:-cc} -std=c17 -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only -x c "$header"
  ${CXX:-c++} -std=c++17 -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only -x c++ "$header"
done
for header in $(find src -name "*.h"); do
  ${CC:-cc} -std=c17 -Wall -Wextra -Werror -Wno-unused-function -Iinclude -Isrc -fsyntax-only -x c "$header"
done
