#!/bin/sh
# python_asan.sh PYTHON TOOL DIR [OPERATIONS]: the package with the address sanitizer, built in DIR by GCC: misuse with all values,
# a million random operations, in two threads too, worlds and library. TOOL: the program of another build, for the tests.
set -eu
cd "$(dirname "$0")/../.."
python=$1 tool=$2 work=$3 operations=${4:-1000000}
runtime=$(gcc -print-file-name=libasan.so)
cmake -S . -B "$work" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=gcc -DMOTE_ASSERTS=ON -DMOTE_SANITIZE=address \
  -DMOTE_PYTHON=ON -DMOTE_PYTHON_PROGRAM="$python" -DMOTE_TESTS=OFF > /dev/null
cmake --build "$work" -j"$(nproc)" --target mote-python > "$work/build.log" 2>&1 || { tail -n 50 "$work/build.log"; exit 1; }
# The interpreter's own allocator would hide its memory, and its objects at exit are no leaks of ours.
run_test() {
  PYTHONPATH=$work/python MOTE_TOOL=$tool MOTE_MISUSE=all MOTE_OPERATIONS=$operations PYTHONMALLOC=malloc \
    LD_PRELOAD=$runtime ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 "$python" -B "$@"
}
run_test tests/python/misuse_test.py
run_test tests/python/world_test.py
run_test tests/python/library_test.py
run_test tests/python/abuse_test.py Abuse.test_random_operations Abuse.test_in_two_threads
