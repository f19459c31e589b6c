#!/bin/sh
# The property and golden tests under ThreadSanitizer (clang with OpenMP's archer library). $1: a directory to work in.
set -eu
cd "$(dirname "$0")/../.."
archer=$(find /usr/lib -name 'libarcher.so' | head -n 1)
[ -n "$archer" ] || { echo "libarcher.so is missing: install libomp-dev"; exit 1; }
cmake --preset tsan -B "$1" -DMOTE_TOOL=OFF >/dev/null
cmake --build "$1" -j2 -- -s >/dev/null
OMP_TOOL_LIBRARIES=$archer TSAN_OPTIONS='ignore_noninstrumented_modules=1 halt_on_error=1' \
  ctest --test-dir "$1" --output-on-failure --no-tests=error -L 'property|golden'
