#!/bin/sh
# ParaView and Blender open what mote wrote, with the right positions, times, fields, normals and colours.
#   open_elsewhere.sh MOTE WORK [RUN]
# RUN is a run directory with vtp or vtu, ply and csv files of each frame; without it, a small one is made in WORK.
set -eu
mote=$1 work=$2
checks=$(cd "$(dirname "$0")" && pwd)
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

pvpython "$checks/open_paraview.py" "$run" "$work"
blender -b --factory-startup --python-exit-code 1 --python "$checks/open_blender.py" -- "$run" "$work" \
  > "$work/blender.log" 2>&1 || { cat "$work/blender.log"; exit 1; }
grep '^blender: ' "$work/blender.log"
