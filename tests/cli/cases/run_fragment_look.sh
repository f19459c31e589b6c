# A mesh with texture coordinates that is moved, turned and broken: its pieces have them on the outer surface, where they were.
cat > cube.obj <<END
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1
v 0 1 1
vt 0 0
vt 1 0
vt 1 1
vt 0 1
f 4/4 3/3 2/2 1/1
f 5/1 6/2 7/3 8/4
f 1/1 2/2 6/3 5/4
f 3/1 4/2 8/3 7/4
f 2/1 3/2 7/3 6/4
f 4/1 1/2 5/3 8/4
END
cat > cube.yaml <<END
spacing: 0.2
duration: 10 ms
fps: 100
domain: {low: [-2, 0, -2], high: [4, inf, 4]}
materials: {stone: {model: elastic, density: 2000, young: 20 MPa, poisson: 0.2, order: 1, integrator: explicit, strength: 1 MPa}}
bodies:
  cube:
    material: stone
    shape: {mesh: {file: cube.obj}, rotate: {axis: [0, 0, 1], angle: 90 deg}, move: [0.3, 0.5, 0.1], scale: 2}
    cracks: [{point: [0.8, 1, 0.6], normal: [1, 0, 0], radius: 5}]
outputs: {fragments: [ply, glb], formats: [], preview: false}
END
"$MOTE" run cube.yaml -o run --quiet --frames 1 > /dev/null 2>&1
head -1 run/cracks.csv
grep -a -o 'TEXCOORD_0' run/fragments.0001.glb | sort -u
"$MOTE" info run/fragments.0001.ply | grep -c 'uv'
# On the upper side (z = 1.6 of 2 x 2 x 2) uv are the turned coordinates: x = 0.8 + 1 - 2 t, y = 1 - 1 + 2 s.
python3 - run/fragments.0001.ply <<END
import struct, sys
file = open(sys.argv[1], 'rb')
size, kinds = 0, {'double': 'd', 'float': 'f', 'uint': 'I'}
form = '<'
while True:
    line = file.readline().decode().split()
    if line[:2] == ['element', 'vertex']: size = int(line[2])
    if line[0] == 'property' and line[1] in kinds: form += kinds[line[1]]
    if line[0] == 'end_header': break
seen = wrong = 0
for k in range(size):
    x, y, z, fragment, s, t = struct.unpack(form, file.read(struct.calcsize(form)))
    if abs(z - 1.6) > 1e-3 or abs(x - 0.8) > 0.8 or abs(y - 1) > 0.8: continue
    seen += 1
    wrong += abs(x - (1.8 - 2 * t)) > 0.02 or abs(y - 2 * s) > 0.02
print('upper side', seen > 100, wrong)
END
# Pieces are drawn without the particles, which may have been split.
"$MOTE" render run --preview --size 64x36 -o one.png --quiet
