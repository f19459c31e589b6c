#!/bin/sh
# fifth_kind.sh DIR: what a kind of matter costs. Applies fifth_kind.patch (points that only fall and rest on floors) to a
# copy of the tree in DIR, which may touch its own folder and three other files; builds the tool there and runs a scene:
# the points come to rest, keep their mass, and have the same bits with 1 and 7 threads and when resumed.
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
dir=$1
patch=$here/tests/checks/fifth_kind.patch
others=$(sed -n 's,^+++ b/,,p' "$patch" | grep -vc '^src/kinds/points/' || true)
[ "$others" -le 3 ] || { echo "the patch touches $others files outside of its own folder, not 3"; exit 1; }

rm -rf "$dir" && mkdir -p "$dir/tree"
(cd "$here" && git ls-files -z | grep -zv '^docs/images/' | xargs -0 tar cf -) | tar xf - -C "$dir/tree"
(cd "$dir/tree" && patch -p1 --silent < "$patch")
cmake -S "$dir/tree" -B "$dir/build" -DCMAKE_BUILD_TYPE=Release -DMOTE_WERROR=ON -DMOTE_TESTS=OFF -DMOTE_RENDER=OFF > "$dir/log"
cmake --build "$dir/build" -j"$(nproc)" --target mote-tool >> "$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }

cat > "$dir/points.yaml" << 'SCENE'
dimensions: 2
spacing: 5 cm
duration: 1
fps: 10
domain: {low: [0, 0], high: [2, 2], x: wall, y: wall}
materials:
  sand: {model: points, density: 2000}
bodies:
  cloud: {material: sand, shape: {box: {low: [0.5, 1], high: [1.5, 1.5]}}}
colliders:
  ball: {shape: {sphere: {centre: [1, 0.3], radius: 0.2}}}
outputs: {preview: false, snapshot_every: 3}
SCENE
mote=$dir/build/mote
state() { sed -n 's/.* state \([0-9a-f]*\),.*/\1/p'; }
one=$("$mote" run "$dir/points.yaml" -o "$dir/one" --threads 1 --quiet 2>&1 | state)
seven=$("$mote" run "$dir/points.yaml" -o "$dir/seven" --threads 7 --quiet 2>&1 | state)
"$mote" run "$dir/points.yaml" -o "$dir/resumed" --frames 5 --quiet > /dev/null 2>&1
resumed=$("$mote" run "$dir/resumed" --resume --quiet 2>&1 | state)
if [ -z "$one" ] || [ "$one" != "$seven" ] || [ "$one" != "$resumed" ]; then
  echo "states differ: $one with 1 thread, $seven with 7, $resumed resumed"
  exit 1
fi
# The mass is that of the box, 2000 kg/m^2 times 0.5 m^2; at rest, above the floor and below the start.
awk -F, 'NR == 1 { for (k = 1; k <= NF; ++k) column[$k] = k; next }
  { mass = $column["mass"]; energy = $column["kinetic_energy"]; height = $column["centre_y"] }
  END {
    good = mass > 999.9 && mass < 1000.1 && energy == 0 && height > 0.025 && height < 0.6
    if (!good) print "the points end with " mass " kg, " energy " J, at " height " m"
    exit !good
  }' "$dir/one/totals.csv"
