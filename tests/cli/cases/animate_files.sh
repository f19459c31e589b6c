# A bar bends between keys: as numbered files, which keep what the file holds, and as one GLB whose morph targets are the same
# positions; a key from a mesh that mote deform wrote; the keys are met.
cat > bend.yaml <<END
shape: {box: {low: [0, 0, 0], high: [3, 1, 1]}}
cells: 12
nodes: 30
handles:
  left: {shape: {half_space: {point: [0.2, 0, 0], normal: [1, 0, 0]}}, fix: true}
  right: {shape: {half_space: {point: [2.8, 0, 0], normal: [-1, 0, 0]}}, rotate: {angle: 40 deg, about: [1.5, 0.5, 0.5]}}
END
sed 's/rotate:.*/fix: true}/' bend.yaml > rest.yaml
"$MOTE" deform rest.yaml -o bar.obj --quiet && sed -i 's/^f/usemtl wood\nf/' bar.obj && sed -i '0,/^f/s//g bar\nf/' bar.obj || exit 1
"$MOTE" deform bar.obj bend.yaml -o bent.obj --quiet || exit 1
cat > keys.yaml <<END
deform:
  nodes: 30
  handles:
    left: {shape: {half_space: {point: [0.2, 0, 0], normal: [1, 0, 0]}}, fix: true}
    right: {shape: {half_space: {point: [2.8, 0, 0], normal: [-1, 0, 0]}}}
keys:
  - {time: 0}
  - {time: 0.5, handles: {right: {rotate: {angle: -30 deg, about: [1.5, 0.5, 0.5]}}}}
  - {time: 1, mesh: bent.obj}
fps: 8
END
"$MOTE" animate bar.obj keys.yaml -o frames --quiet || exit 1
ls frames | tr '\n' ' '; echo
for k in 1 5; do grep -v '^v ' frames/bar.000$k.obj | cmp - <(grep -v '^v ' bar.obj) && echo the rest is kept; done
"$MOTE" animate bar.obj keys.yaml -o bar.glb --threads 2 | sed -n 's/ of [0-9]* vertices//p; s/.*\(3 keys\).*/  \1/p' | head -1
python3 - <<'END'
import json, struct
data = open('bar.glb', 'rb').read()
size = struct.unpack('<I', data[12:16])[0]
root, bin = json.loads(data[20:20 + size]), data[28 + size:]
def values(k):
    a = root['accessors'][k]
    v = root['bufferViews'][a['bufferView']]
    n = a['count'] * {'SCALAR': 1, 'VEC3': 3}[a['type']]
    return struct.unpack_from('<%df' % n, bin, v.get('byteOffset', 0))
def rows(path): return [float(x) for l in open(path) if l.startswith('v ') for x in l.split()[1:4]]
primitive, animation = root['meshes'][0]['primitives'][0], root['animations'][0]
rest = values(primitive['attributes']['POSITION'])
times = values(animation['samplers'][0]['input'])
weights = values(animation['samplers'][0]['output'])
print(len(primitive['targets']), 'targets, times', times[0], 'to', times[-1], root['buffers'][0]['byteLength'] == len(bin))
n = len(times)
print('weights', all(weights[n * i + j] == (i == j) for i in range(n) for j in range(n)))
for k in 0, 4, 8:
    move = values(primitive['targets'][k]['POSITION'])
    far = max(abs(a + b - c) for a, b, c in zip(rest, move, rows('frames/bar.%04d.obj' % (k + 1))))
    print('frame', k + 1, far < 1e-5)
def apart(a, b): return max(abs(x - y) for x, y in zip(rows(a), rows(b)))
print('keys met:', apart('frames/bar.0001.obj', 'bar.obj') < 0.01, apart('frames/bar.0009.obj', 'bent.obj') < 0.03)
END
"$MOTE" animate bar.obj keys.yaml -o plys --format ply --json --set fps=2 | grep -c '"volume":'
ls plys | tr '\n' ' '; echo
