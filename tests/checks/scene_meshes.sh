#!/bin/sh
# Every surface of every frame of every scene is closed, manifold and turned outward, by every method:
#   scene_meshes.sh MOTE WORK [COARSER]
# Scenes of three dimensions run with COARSER times their spacing (2), each with `outputs: surface:` on; their frames
# are meshed again by every method. Flat scenes must be refused in words.
set -eu
mote=$1 work=$2 coarser=${3:-2}
scenes=$(cd "$(dirname "$0")/../../scenes" && pwd)
rm -rf "$work"
mkdir -p "$work"
failed=0
complain() { echo "$*" && failed=1; }

# Reads reports of meshes (mote mesh --json, mote info --json) and says how many there were; complains about bad ones.
# A drop that falls apart may leave no surface: nothing is closed.
judge() {
  awk -v what="$1" '
    function told(key) { return match($0, "\"" key "\":[^,}]*") ? substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3) : "" }
    { ++meshes; crossings += told("crossings"); bad = "" }
    told("triangles") + 0 == 0 { ++empty; next }
    told("closed") == "false" || told("open_edges") + told("crowded_edges") + told("flipped_edges") > 0 { bad = "not closed" }
    told("manifold") == "false" || told("pinched_vertices") > 0 { bad = "not manifold" }
    !(told("volume") > 0) { bad = "inside out" }
    !(told("smallest_angle") > 0) { bad = "has a triangle without area" }
    bad != "" { print what ": " bad ": " $0 > "/dev/stderr"; ++wrong }
    { triangles += told("triangles") }
    END { print what ": " meshes + 0 " meshes, " empty + 0 " empty, " triangles + 0 " triangles, " crossings + 0 " pairs cross, " wrong + 0 " wrong"
          exit wrong > 0 || meshes == 0 || empty == meshes }'
}

for scene in "$scenes"/*.yaml "$scenes"/*/*.yaml; do
  name=$(basename "$scene" .yaml) run=$work/$(basename "$scene" .yaml)
  spacing=$(sed -n 's/^spacing: *//p' "$scene" | awk -v k="$coarser" '{ print k * $1, $2 }')
  flat=$(grep -c '^dimensions: 2' "$scene" || true)
  [ "$flat" = 1 ] && surface='outputs.surface=false' || surface='outputs.surface.formats=[ply]'
  [ "$flat" = 1 ] && frames='--frames 2' || frames=
  # shellcheck disable=SC2086
  "$mote" run "$scene" -o "$run" --quiet --set "spacing=$spacing" --set outputs.preview=false --set "$surface" $frames \
    > "$run.log" 2>&1 || { cat "$run.log"; complain "$name: does not run"; continue; }
  if [ "$flat" = 1 ]; then
    "$mote" mesh "$run" -o "$run/flat" --format ply > "$run.log" 2>&1 && complain "$name: a surface of a flat scene"
    grep -q 'surfaces are of 3D particles' "$run.log" || { cat "$run.log"; complain "$name: no word about flat scenes"; }
    rm -rf "$run"
    continue
  fi
  "$mote" info "$run"/surface.*.ply --json | judge "$name as it runs" || failed=1
  for method in anisotropic density blobs mass zhu-bridson adams; do
    "$mote" mesh "$run" -o "$work/meshes" --format stl --overwrite --method $method --json --quiet > "$run.json" \
      2> "$run.log" || { cat "$run.log"; complain "$name $method: no surface"; continue; }
    judge "$name $method" < "$run.json" || failed=1
    rm -rf "$work/meshes"
  done
  "$mote" mesh "$run" -o "$work/meshes" --format stl --overwrite --clean --no-walls --json --quiet > "$run.json" &&
    judge "$name clean, no walls" < "$run.json" || failed=1
  rm -rf "$run" "$work/meshes"
done
exit $failed
