# A GLB file with two nodes, two meshes of two primitives each, normals, texture coordinates, materials and a texture: deformed, all of its JSON but
# the bounds of the positions is as it was, and so are texture coordinates; in a motion every primitive has its targets.
python3 - <<'END'
import json, struct
def box(lo,hi):
    V=[];I=[];N=[];U=[]
    for ax in range(3):
        for s in (0,1):
            n=[0,0,0]; n[ax]=1 if s else -1
            a,b=(ax+1)%3,(ax+2)%3
            base=len(V)
            for i in range(5):
                for j in range(5):
                    p=[0,0,0]; p[ax]=(hi if s else lo)[ax]; p[a]=lo[a]+(hi[a]-lo[a])*i/4; p[b]=lo[b]+(hi[b]-lo[b])*j/4
                    V.append(p);N.append(n);U.append([i/4,j/4])
            for i in range(4):
                for j in range(4):
                    v=base+i*5+j; q=[v,v+5,v+6,v,v+6,v+1]
                    if not s: q=[v,v+6,v+5,v,v+1,v+6]
                    I+=q
    return V,N,U,I
bin=b'';views=[];acc=[]
def add(data,fmt,typ,ct,bounds=False):
    global bin
    flat=[x for r in data for x in (r if isinstance(r,list) else [r])]
    b=struct.pack('<%d%s'%(len(flat),fmt),*flat); off=len(bin); bin+=b+b'\0'*(-len(b)%4)
    views.append({"buffer":0,"byteOffset":off,"byteLength":len(b)})
    a={"bufferView":len(views)-1,"componentType":ct,"count":len(data),"type":typ}
    if bounds: a["min"]=[min(r[c] for r in data) for c in range(3)];a["max"]=[max(r[c] for r in data) for c in range(3)]
    acc.append(a); return len(acc)-1
prims=[]
for lo,hi in (([0,0,0],[2,1,1]),([0,0,0],[2,1,1])):
    V,N,U,I=box(lo,hi)
    p=add(V,'f','VEC3',5126,True);n=add(N,'f','VEC3',5126);u=add(U,'f','VEC2',5126)
    half=len(I)//2
    i1=add(I[:half],'H','SCALAR',5123);i2=add(I[half:],'H','SCALAR',5123)
    prims.append([{"attributes":{"POSITION":p,"NORMAL":n,"TEXCOORD_0":u},"indices":i1,"material":0},{"attributes":{"POSITION":p,"NORMAL":n,"TEXCOORD_0":u},"indices":i2,"material":1}])
root={"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"name":"root","children":[1,2],"rotation":[0,0.7071068,0,0.7071068]},{"name":"first","mesh":0},{"name":"second","mesh":1,"translation":[2.5,0,0]}],
"meshes":[{"name":"A","primitives":prims[0]},{"name":"B","primitives":prims[1]}],"materials":[{"name":"red","pbrMetallicRoughness":{"baseColorTexture":{"index":0}}},{"name":"blue"}],"textures":[{"source":0}],"images":[{"uri":"wood.png"}],
"accessors":acc,"bufferViews":views,"buffers":[{"byteLength":len(bin)}]}
j=json.dumps(root).encode(); j+=b' '*(-len(j)%4)
open('two.glb','wb').write(struct.pack('<III',0x46546c67,2,28+len(j)+len(bin))+struct.pack('<II',len(j),0x4e4f534a)+j+struct.pack('<II',len(bin),0x4e4942)+bin)
END
cat > edits.yaml <<END
nodes: 40
handles:
  near: {group: first, fix: true}
  far: {group: B, rotate: {axis: [1, 0, 0], angle: 30 deg}, move: [0, 0.5, 0]}
END
cat > keys.yaml <<END
deform: {include: edits.yaml, handles: {far: {rotate: null, move: null}}}
keys: [{time: 0}, {time: 1, handles: {far: {rotate: {axis: [1, 0, 0], angle: 30 deg}, move: [0, 0.5, 0]}}}]
fps: 2
END
"$MOTE" deform two.glb edits.yaml -o bent.glb --quiet && "$MOTE" animate two.glb keys.yaml -o motion.glb --quiet || exit 1
python3 - <<'END'
import json, struct
def load(path):
    data = open(path, 'rb').read()
    size = struct.unpack('<I', data[12:16])[0]
    return json.loads(data[20:20 + size]), data[28 + size:]
def values(file, k):
    root, bin = file
    a = root['accessors'][k]
    v = root['bufferViews'][a['bufferView']]
    return struct.unpack_from('<%df' % (a['count'] * {'SCALAR': 1, 'VEC2': 2, 'VEC3': 3}[a['type']]), bin, v.get('byteOffset', 0))
rest, bent, motion = load('two.glb'), load('bent.glb'), load('motion.glb')
print([k for k in rest[0] if rest[0][k] != bent[0][k]], len(rest[1]) == len(bent[1]))
print([k for k in rest[0] if rest[0][k] != motion[0][k]], 'animations' in motion[0])
for mesh in 0, 1:
    names = rest[0]['meshes'][mesh]['primitives'][0]['attributes']
    uv, position = names['TEXCOORD_0'], names['POSITION']
    moved = max(abs(a - b) for a, b in zip(values(rest, position), values(bent, position)))
    x = values(bent, position)
    bounds = [min(x[c::3]) for c in range(3)], [max(x[c::3]) for c in range(3)]
    there = bent[0]['accessors'][position]
    print('texture', values(rest, uv) == values(bent, uv), 'moved', moved > 0.3,
          'bounds', all(abs(a - b) < 1e-6 for a, b in zip(bounds[0] + bounds[1], there['min'] + there['max'])))
    for primitive in motion[0]['meshes'][mesh]['primitives']:
        move = values(motion, primitive['targets'][-1]['POSITION'])
        far = max(abs(a + b - c) for a, b, c in zip(values(rest, position), move, x))
        print(len(primitive['targets']), 'targets', sorted(primitive['targets'][0]), far < 1e-4)
print([c['target']['node'] for c in motion[0]['animations'][0]['channels']])
END
