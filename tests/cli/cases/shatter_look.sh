# Texture coordinates and colours of a mesh that is broken: in a GLB file the outer surface keeps them and walls have none, in a PLY
# file walls have those of the surface near them; both files open again.
python3 - <<'END'
import json, struct
points, triangles = [], []
for axis in range(3):
    for side in (0, 1):
        first = len(points)
        for k in range(4):
            x = [0, 0, 0]
            x[axis], x[(axis + 1) % 3], x[(axis + 2) % 3] = side, k % 2, k // 2
            points.append(x)
        triangles += [[first + k for k in t] for t in ([[0, 1, 3], [0, 3, 2]] if side else [[0, 3, 1], [0, 2, 3]])]
uv = [[0.1 + 0.5 * x + 0.2 * z, 0.9 - 0.7 * y] for x, y, z in points]
parts = [b''.join(struct.pack('<3f', *x) for x in points), b''.join(struct.pack('<2f', *x) for x in uv),
         b''.join(struct.pack('<3I', *t) for t in triangles)]
root = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "indices": 2, "material": 0}]}],
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}], "textures": [{"source": 0}],
        "images": [{"uri": "wood.png"}], "buffers": [{"byteLength": sum(map(len, parts))}],
        "bufferViews": [{"buffer": 0, "byteOffset": sum(map(len, parts[:k])), "byteLength": len(parts[k])} for k in range(3)],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 24, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 1]},
                      {"bufferView": 1, "componentType": 5126, "count": 24, "type": "VEC2"},
                      {"bufferView": 2, "componentType": 5125, "count": 36, "type": "SCALAR"}]}
text = json.dumps(root).encode()
text += b' ' * (-len(text) % 4)
data = b''.join(parts)
open('box.glb', 'wb').write(struct.pack('<5I', 0x46546c67, 2, 28 + len(text) + len(data), len(text), 0x4e4f534a) + text +
                            struct.pack('<2I', len(data), 0x4e4942) + data)
with open('box.ply', 'w') as f:
    f.write('ply\nformat ascii 1.0\nelement vertex 24\n' + ''.join('property float %s\n' % k for k in 'xyz') +
            ''.join('property uchar %s\n' % k for k in ('red', 'green', 'blue')) +
            'element face 12\nproperty list uchar int vertex_indices\nend_header\n')
    f.writelines('%g %g %g %d %d %d\n' % (*x, 40 + 160 * x[0], 200 - 100 * x[1], 20 + 30 * x[2]) for x in points)
    f.writelines('3 %d %d %d\n' % tuple(t) for t in triangles)
END
"$MOTE" shatter box.glb -o pieces.glb --pieces 6 --edge 0.05 --quiet
"$MOTE" shatter box.ply -o pieces.ply --pieces 6 --edge 0.05 --quiet
for file in pieces.glb pieces.ply; do "$MOTE" info --json $file | grep -o '"open_edges":[0-9]*'; done
python3 - <<'END'
import json, struct
data = open('pieces.glb', 'rb').read()
size = struct.unpack('<I', data[12:16])[0]
root, blob = json.loads(data[20:20 + size]), data[28 + size:]
def values(index, form, width):
    a = root['accessors'][index]
    at = root['bufferViews'][a['bufferView']]['byteOffset'] + a.get('byteOffset', 0)
    step = struct.calcsize('<%d%s' % (width, form))
    return [struct.unpack_from('<%d%s' % (width, form), blob, at + step * k) for k in range(a['count'])]
def on_surface(x):
    """The nearest point of the box: near its edges pieces end a little within."""
    k = min(range(3), key=lambda a: min(x[a], 1 - x[a]))
    return [float(round(v)) if a == k else v for a, v in enumerate(x)]
worst, bare, walls = 0, 0, 0
for mesh in root['meshes']:
    for side in mesh['primitives']:
        is_wall = root['materials'][side['material']]['name'] == 'wall'
        walls += is_wall
        bare += is_wall and 'TEXCOORD_0' in side['attributes']
        if is_wall:
            continue
        x, uv = values(side['attributes']['POSITION'], 'f', 3), values(side['attributes']['TEXCOORD_0'], 'f', 2)
        for k, in values(side['indices'], 'I', 1):
            at = on_surface(x[k])
            worst = max(worst, abs(uv[k][0] - 0.1 - 0.5 * at[0] - 0.2 * at[2]), abs(uv[k][1] - 0.9 + 0.7 * at[1]))
print('outer texture coordinates off by less than 1e-5:', worst < 1e-5)
print('pieces with walls: %d, walls with texture coordinates: %d' % (walls, bare))

with open('pieces.ply', 'rb') as f:
    names, count = [], 0
    for line in iter(lambda: f.readline().split(), [b'end_header']):
        if line[:2] == [b'element', b'vertex']:
            count = int(line[2])
        elif line[0] == b'element':
            break
        elif line[0] == b'property':
            names.append((line[2].decode(), {b'double': 'd', b'float': 'f', b'uchar': 'B', b'uint': 'I', b'int': 'i'}[line[1]]))
    while f.readline() != b'end_header\n':
        pass
    form = '<' + ''.join(k for _, k in names)
    rows = [dict(zip((n for n, _ in names), struct.unpack(form, f.read(struct.calcsize(form))))) for _ in range(count)]
outer = inner = off = wild = 0
for r in rows:
    wanted = 40 + 160 * r['x'], 200 - 100 * r['y'], 20 + 30 * r['z']
    apart = max(abs(a - b) for a, b in zip(wanted, (r['red'], r['green'], r['blue'])))
    near = min(min(abs(r[k]), abs(1 - r[k])) for k in 'xyz')  # distance to the surface
    outer += near < 1e-9
    inner += near > 0.2
    off += near < 1e-9 and apart > 1
    wild += apart > 1 + 160 * max(near, 0)
print('colours of the surface kept:', outer > 100 and off == 0)
print('colours of walls are those of the surface beside them:', inner > 10 and wild == 0)
END
