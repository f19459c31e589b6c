#!/bin/sh
# Installs shared libraries into a new place, holds their symbols against the public headers, and builds and runs the
# README's program there: by find_package and by pkg-config. $1: a directory to work in.
set -eu
cd "$(dirname "$0")/../.."
work=$1
rm -rf "$work" && mkdir -p "$work"
cmake -S . -B "$work/build" -DBUILD_SHARED_LIBS=ON -DMOTE_TESTS=OFF -DCMAKE_INSTALL_PREFIX="$work/prefix" >/dev/null
cmake --build "$work/build" -j2 -- -s >/dev/null
cmake --install "$work/build" >/dev/null

declared=$(cat include/mote/*.h | tr '\n' ' ' | grep -o 'MOTE_API [^;(]*(' | grep -o 'mote_[a-z0-9_]*($' | tr -d '(' | sort)
exported=$(nm -D --defined-only "$work"/prefix/lib*/libmote.so "$work"/prefix/lib*/libmote-io.so 2>/dev/null ||
           nm -D --defined-only $(find "$work/prefix" -name 'libmote*.so'))
exported=$(echo "$exported" | awk '$2 ~ /[TDBRW]/ {print $3}' | sort)
if [ "$declared" != "$exported" ]; then
  echo 'the public headers (<) and the exported symbols (>) differ:'
  echo "$declared" > "$work/declared"; echo "$exported" > "$work/exported"
  diff "$work/declared" "$work/exported"
  exit 1
fi

awk '/^```c$/ {on = 1; next} /^```$/ {on = 0} on' README.md > "$work/consumer.c"
cat > "$work/CMakeLists.txt" <<'TXT'
cmake_minimum_required(VERSION 3.18)
project(consumer C)
find_package(mote 0.1 REQUIRED)
add_executable(consumer consumer.c)
target_link_libraries(consumer mote::mote mote::io)
TXT
cmake -S "$work" -B "$work/consumer" -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
cmake --build "$work/consumer" -- -s >/dev/null
[ "$("$work/consumer/consumer")" = 'f(0.5, 0.25) = 1' ]

PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name mote.pc)")
export PKG_CONFIG_PATH
${CC:-cc} -std=c17 "$work/consumer.c" $(pkg-config --cflags --libs mote) -o "$work/by-pkg-config"
[ "$(LD_LIBRARY_PATH=$(pkg-config --variable=libdir mote) "$work/by-pkg-config")" = 'f(0.5, 0.25) = 1' ]
