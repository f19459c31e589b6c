#!/bin/sh
# Installs the libraries into a new place, holds their symbols against the public headers, and builds and runs the README's
# program there: by find_package and by pkg-config. $1: a directory to work in; $2: where the static ones are built, or
# "shared": shared ones are built here, with -O1, which takes half as long.
set -eu
cd "$(dirname "$0")/../.."
work=$1
built=$2
mark=$work/made-by-install-check

# Begins in an empty directory; what is there already is removed only if an earlier check made it.
case $work in
  '' | / | . | .. | */. | */..) echo "install.sh: not a directory to work in: '$work'" >&2; exit 2 ;;
esac
if [ -e "$work" ] || [ -L "$work" ]; then
  if [ -L "$work" ] || [ ! -f "$mark" ]; then
    echo "install.sh: $work was not made by this check: remove it first" >&2
    exit 2
  fi
  rm -rf "$work"
fi
mkdir -p "$work"
: > "$mark"
awk '/^```c$/ {on = 1; next} /^```$/ {on = 0} on' README.md > "$work/consumer.c"
cat > "$work/plot.c" <<'TXT'
#include <mote/draw.h>
int main(void) { return mote_plot_write(NULL, "none.png", NULL) == MOTE_OK; }
TXT
cat > "$work/CMakeLists.txt" <<'TXT'
cmake_minimum_required(VERSION 3.18)
project(consumer C)
find_package(mote 0.1 REQUIRED)
add_executable(consumer consumer.c)
target_link_libraries(consumer mote::mote mote::io)
TXT

# The README's program prints ten lines, the last of them this one. It runs on one core, the first that we may use: its
# threads would wait for each other where another test has a core (100 s instead of 12).
check_output() {
  case $(taskset -c "$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')" "$1") in
    *'t = 1.0 s: 3200 particles, the front is at x = '*) ;;
    *) echo "the README's program $1 does not end as it should"; exit 1 ;;
  esac
}

# The README's program, and one of libmote-io, in $1.
consume() {
  cmake -S "$work" -B "$1/consumer" -DCMAKE_PREFIX_PATH="$1/prefix" >/dev/null
  cmake --build "$1/consumer" -- -s >/dev/null
  check_output "$1/consumer/consumer"
  PKG_CONFIG_PATH=$(dirname "$(find "$1/prefix" -name mote.pc)")
  export PKG_CONFIG_PATH
  LD_LIBRARY_PATH=$(pkg-config --variable=libdir mote)
  export LD_LIBRARY_PATH
  ${CC:-cc} -std=c17 "$work/consumer.c" $(pkg-config --cflags --libs mote) -o "$1/by-pkg-config"
  check_output "$1/by-pkg-config"
  ${CC:-cc} -std=c17 "$work/plot.c" $(pkg-config --cflags --libs mote-io) -o "$1/plot"
  "$1/plot"
}

if [ "$built" = shared ]; then
  built=$work/build
  cmake -S . -B "$built" -DBUILD_SHARED_LIBS=ON -DMOTE_TESTS=OFF -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O1 >/dev/null
  cmake --build "$built" -j2 -- -s >/dev/null
fi
cmake --install "$built" --prefix "$work/prefix" >/dev/null
declared=$(cat include/mote/*.h | tr '\n' ' ' | grep -o 'MOTE_API [^;(]*(' | grep -o 'mote_[a-z0-9_]*($' | tr -d '(' | sort)
exported=$(find "$work/prefix" -name 'libmote*.so' -o -name 'libmote*.a' | xargs readelf --wide --syms |
           awk '$5 == "GLOBAL" && $6 == "DEFAULT" && $7 != "UND" {print $8}' | sort -u)
if [ "$declared" != "$exported" ]; then
  echo 'the public headers (<) and the exported symbols (>) differ:'
  echo "$declared" > "$work/declared"; echo "$exported" > "$work/exported"
  diff "$work/declared" "$work/exported"
  exit 1
fi
consume "$work"
