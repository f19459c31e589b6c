#!/bin/sh
# The tool without Embree (-DMOTE_RENDER=OFF): everything but rays works. $1: a directory to build in.
set -eu
cd "$(dirname "$0")/../.."
build=$1
cmake -S . -B "$build" -DMOTE_RENDER=OFF -DMOTE_WERROR=ON -DMOTE_TESTS=OFF >/dev/null
cmake --build "$build" -j2 --target mote-tool >"$build/build.log" 2>&1 || { cat "$build/build.log"; exit 1; }
if ldd "$build/mote" | grep -i embree; then echo 'the tool still needs Embree'; exit 1; fi

cd "$build"
./mote run dam_break_2d -o run --overwrite --quiet --set spacing=4cm --set duration=0.1 >/dev/null
./mote run dam_break -o run3 --overwrite --quiet --set spacing=8cm --set duration=0.1 >/dev/null
./mote render run3 --preview --overwrite --quiet -o preview.png >/dev/null
./mote render run3 --section z=0.3 --overwrite --quiet -o section.png >/dev/null
./mote render run --overwrite --quiet -o flat.png >/dev/null
status=0
said=$(./mote render run3 --overwrite --quiet -o rays.png 2>&1) || status=$?
case $status:$said in
  '1:mote: this build of Mote has no ray tracer'*) ;;
  *) echo "mote render without Embree: exit status $status, $said"; exit 1 ;;
esac
