#!/bin/sh
# ParaView and Blender open what mote wrote, with the right positions, times, fields, normals and colours; the importer of
# apps/blender blurs by velocities. Status 77, which ctest counts as skipped, where neither program is installed.
#   open_elsewhere.sh MOTE WORK [RUN]
# RUN is a run directory with vtp or vtu, ply and csv files of each frame; without it, a small one is made in WORK.
set -eu
mote=$1 work=$2
checks=$(cd "$(dirname "$0")" && pwd)
have() { command -v "$1" > /dev/null; }
have pvpython || have blender || exit 77
rm -rf "$work"
mkdir -p "$work"
if [ $# -gt 2 ]; then
  run=$3
else
  run=$work/run
  "$mote" examples dam_break_2d > "$work/scene.yaml"
  "$mote" run "$work/scene.yaml" -o "$run" --set duration=0.1 --set 'outputs.formats=[vtp,vtu,ply,csv]' \
    --set outputs.preview=false > "$work/run.log" 2>&1 || { cat "$work/run.log"; exit 1; }
fi

# A mesh of which no two coordinates are alike.
cat > "$work/mesh.obj" << 'OBJ'
v 0.125 0.25 0.375
v 1 0.5 0.625
v 0.75 2 0.875
v 0.0625 0.1875 3
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
OBJ
# The same as a surface with normals and colours, by way of a text of others.
cat > "$work/coloured.ply" << 'PLY'
ply
format ascii 1.0
comment mote 0.1.0
comment time 0.25
element vertex 4
property double x
property double y
property double z
property float nx
property float ny
property float nz
property uchar red
property uchar green
property uchar blue
property float speed
element face 4
property list uchar uint vertex_indices
end_header
0.125 0.25 0.375 -1 0 0 255 0 0 1.5
1 0.5 0.625 1 0 0 0 128 0 2.5
0.75 2 0.875 0 1 0 0 0 55 3.5
0.0625 0.1875 3 0 0 1 10 20 30 4.5
3 0 2 1
3 0 1 3
3 0 3 2
3 1 2 3
PLY
for ending in obj ply stl vtp glb; do
  "$mote" convert "$work/coloured.ply" "$work/surface.$ending" --lossy > "$work/convert.log" 2>&1 || { cat "$work/convert.log"; exit 1; }
done
for ending in obj ply stl; do "$mote" convert "$work/mesh.obj" "$work/converted.$ending" > "$work/convert.log" 2>&1; done

# A bar that bends, as frames in two formats and as one file with an animation: the same motion at 0, 0.5 and 1 s.
cat > "$work/keys.yaml" << 'YAML'
deform:
  shape: {box: {low: [0, 0, 0], high: [3, 1, 1]}}
  cells: 12
  nodes: 30
  handles:
    left: {shape: {half_space: {point: [0.2, 0, 0], normal: [1, 0, 0]}}, fix: true}
    right: {shape: {half_space: {point: [2.8, 0, 0], normal: [-1, 0, 0]}}}
keys:
  - {time: 0}
  - {time: 0.5, handles: {right: {rotate: {angle: -30 deg, about: [1.5, 0.5, 0.5]}}}}
  - {time: 1, handles: {right: {rotate: {angle: 40 deg, about: [1.5, 0.5, 0.5]}}}}
fps: 8
YAML
for ending in obj ply; do "$mote" animate "$work/keys.yaml" -o "$work/bar_$ending" --format $ending --quiet; done
"$mote" animate "$work/keys.yaml" -o "$work/bar.glb" --quiet

# One ball moves at 5 m/s, one rests; a third comes in the last frame.
mkdir "$work/balls"
for k in 0 1 2; do
  awk -v k=$k 'function ball(x, y, r, v, i, j, l) {
      for (i = -5; i < 6; ++i) for (j = -5; j < 6; ++j) for (l = -5; l < 6; ++l)
        if ((i * i + j * j + l * l) / 100 <= r * r) print x + i / 10 "," y + j / 10 "," l / 10 "," v ",0,0"
    }
    BEGIN {
      print "x,y,z,velocity_x,velocity_y,velocity_z\n# mote 0.1.0\n# time " 0.04 * k "\n# spacing 0.1"
      ball(-1 + 0.2 * k, 0.7, 0.45, 5)
      ball(0, -0.7, 0.45, 0)
      if (k == 2) ball(1.5, 0, 0.25, 0)
    }' > "$work/balls/p.000$k.csv"
done
for ending in ply glb; do
  "$mote" mesh "$work/balls/p.%04d.csv" -o "$work/balls/m.%04d.$ending" > /dev/null 2>&1
done

if have pvpython; then pvpython "$checks/open_paraview.py" "$run" "$work"; fi
in_blender() {
  blender -b --factory-startup --python-exit-code 1 --python "$checks/$1" -- "$2" "$3" > "$work/blender.log" 2>&1 ||
    { cat "$work/blender.log"; exit 1; }
  grep '^blender: ' "$work/blender.log"
}
if have blender; then
  in_blender open_blender.py "$run" "$work"
  in_blender blur_blender.py "$checks/../../apps/blender/import_mote.py" "$work/balls"
fi
