#!/bin/sh
# The golden tests on another machine: the same bits. $1: x86_64, aarch64 (cross compiler, qemu-user; x86_64 with AVX2 where tests have more than one thread) or wasm
# (emscripten, Node.js); $2: a directory to work in.
set -eu
cd "$(dirname "$0")/../.."
machine=$1 work=$2
set -- -S . -B "$work" -DMOTE_TOOL=OFF -DMOTE_THREADS=OFF
case $machine in
  wasm)
    export NODE_PATH=/usr/share/nodejs  # where Debian keeps emscripten's modules, for a Node.js from elsewhere
    emcmake cmake "$@" -DCMAKE_CROSSCOMPILING_EMULATOR="$(command -v node)" \
      -DCMAKE_EXE_LINKER_FLAGS='-sSINGLE_FILE=1 -sALLOW_MEMORY_GROWTH=1' >/dev/null
    ;;
  *)
    cmake "$@" -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="$machine" \
      -DCMAKE_C_COMPILER="$machine-linux-gnu-gcc" \
      -DCMAKE_CROSSCOMPILING_EMULATOR="qemu-$machine;-cpu;max;-L;/usr/$machine-linux-gnu" >/dev/null
    ;;
esac
cmake --build "$work" -j2 --target golden-tests -- -s >/dev/null
ctest --test-dir "$work" --output-on-failure --no-tests=error -L golden
