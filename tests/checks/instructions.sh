#!/bin/sh
# instructions.sh OLD NEW [PERCENT]: instructions of two tools (one thread, under valgrind) for the first frames of five
# scenes at coarse spacings. Fails where NEW needs over PERCENT (2) more. 10 minutes.
set -eu
old=$1 new=$2 most=${3:-2}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# count TOOL SCENE SPACING FRAMES
count() {
  valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null "$1" run "$2" -o "$dir/run" --overwrite --quiet \
    --threads 1 --frames "$4" --set spacing="$3" --set outputs.preview=false --autosave 1e6 2> "$dir/log" > /dev/null || {
    cat "$dir/log" >&2
    exit 1
  }
  sed -n 's/.*I *refs: *//p' "$dir/log" | tr -d ,
}

failed=0
while read -r scene spacing frames; do
  before=$(count "$old" "$scene" "$spacing" "$frames")
  after=$(count "$new" "$scene" "$spacing" "$frames")
  awk -v s="$scene" -v a="$before" -v b="$after" -v most="$most" 'BEGIN {
    part = 100 * (b - a) / a
    over = (part > most)
    printf "%-16s %12.0f %12.0f %+6.2f %%%s\n", s, a, b, part, over ? "  too many" : ""
    exit over }' || failed=1
done << SCENES
dam_break 5cm 8
jelly_figure 3cm 3
gravel 4cm 6
stone_pig 4cm 6
chocolate_melts 8mm 3
SCENES
exit $failed
