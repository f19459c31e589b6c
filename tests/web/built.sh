#!/bin/sh
# built.sh few|bits|view MOTE: the tests of the core in a browser (bits.sh; few: three scenes) and of the page (view.mjs). bits and view
# build both first; few is skipped where `make web` was not run.
set -eu
cd "$(dirname "$0")/../.."
what=$1 mote=$2
[ "$what" != few ] || [ -e build-web/one/mote_core.wasm ] || { echo 'skipped: make web builds the core'; exit 0; }
[ "$what" = few ] || apps/web/build.sh build-web
case $what in
  few) tests/web/bits.sh "$mote" build-web few ;;
  bits) tests/web/bits.sh "$mote" build-web ;;
  view) node tests/web/view.mjs "$mote" build-web ;;
esac
