# A collider that is a mesh is drawn by its own triangles, in previews and in renders. Sampled anew, this thin plate has gaps:
# a hundredth of its pixels is left. ("ffmpeg" decodes the pictures.)
cat > plate.obj <<'MESH'
v 0.1 0.1 0.3
v 0.9 0.1 0.3
v 0.9 0.9 0.3
v 0.1 0.9 0.3
v 0.1 0.1 0.304
v 0.9 0.1 0.304
v 0.9 0.9 0.304
v 0.1 0.9 0.304
f 1 3 2
f 1 4 3
f 5 6 7
f 5 7 8
f 1 2 6
f 1 6 5
f 2 3 7
f 2 7 6
f 3 4 8
f 3 8 7
f 4 1 5
f 4 5 8
MESH
cat > scene.yaml <<'SCENE'
spacing: 0.1
duration: 0
domain: {low: [0, 0, 0], high: [1, 1, 1], x: wall, y: [wall, open], z: wall}
bodies: {drop: {shape: {box: {low: [0, 0.8, 0], high: [0.2, 1, 0.2]}}}}
colliders: {plate: {shape: {mesh: {file: plate.obj}, rotate: {axis: [1, 1, 0], angle: 0.2, about: [0.5, 0.5, 0.3]}}}}
outputs: {size: [160, 160], formats: [], camera: {from: [0.5, 0.6, 3], to: [0.5, 0.5, 0.3], angle: 30 deg}}
SCENE
"$MOTE" run scene.yaml --quiet > /dev/null
"$MOTE" render scene -o drawn.png --size 160x160 --samples 4 --quiet > /dev/null
for picture in scene/preview.0001.png drawn.png; do
  ffmpeg -v error -i "$picture" -f rawvideo -pix_fmt gray - | od -An -v -tu1 -w1 |
    awk '$1 > 110 && $1 < 140 { ++grey } END { print (grey > 7000 && grey < 9000) ? "whole" : grey + 0 }'
done
