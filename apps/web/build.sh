#!/bin/sh
# build.sh WORK [THREADS]: the core in a browser, in WORK/one and, with THREADS not 0, WORK/threads; libyaml and zlib from the
# sources of the release at hand (sources.sh). And the page, WORK/view.html, with its libraries as package-lock.json has them.
set -eu
cd "$(dirname "$0")/../.."
work=$1 threads=${2:-1}
export NODE_PATH=/usr/share/nodejs  # where Debian keeps emscripten's modules, for a Node.js from elsewhere
mkdir -p "$work"
work=$(cd "$work" && pwd)
apps/web/sources.sh "$work/sources"
build() {
  emcmake cmake -S . -B "$work/$1" -DMOTE_WEB="$work/sources" -DMOTE_TOOL=OFF -DMOTE_TESTS=OFF -DMOTE_THREADS="$2" \
    -DCMAKE_C_FLAGS="$3" >/dev/null 2>&1
  cmake --build "$work/$1" -j"${JOBS:-2}" --target mote-web >"$work/$1.log" 2>&1 || { cat "$work/$1.log"; exit 1; }
}
build one OFF -msimd128
[ "$threads" = 0 ] || build threads ON '-msimd128 -pthread'
mkdir -p "$work/npm"
if ! cmp -s apps/web/package-lock.json "$work/npm/package-lock.json"; then
  cp apps/web/package.json apps/web/package-lock.json apps/web/.npmrc "$work/npm/"
  (cd "$work/npm" && npm ci >npm.log 2>&1) || { cat "$work/npm/npm.log"; rm "$work/npm/package-lock.json"; exit 1; }
fi
node apps/web/bundle.mjs "$work"
