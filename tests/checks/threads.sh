#!/bin/sh
# The pool of threads, the property and the golden tests under ThreadSanitizer (clang). $1: a directory to work in.
set -eu
cd "$(dirname "$0")/../.."
cmake --preset tsan -B "$1" -DMOTE_TOOL=OFF >/dev/null
cmake --build "$1" -j2 -- -s >/dev/null
TSAN_OPTIONS=halt_on_error=1 ctest --test-dir "$1" --output-on-failure --no-tests=error -L 'property|golden'
TSAN_OPTIONS=halt_on_error=1 ctest --test-dir "$1" --output-on-failure --no-tests=error -R 'unit/base/'
