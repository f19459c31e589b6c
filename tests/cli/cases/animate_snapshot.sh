# A key where an elastic body of a run has carried the mesh: from a file of its particles, or its snapshot.
cat > fall.yaml <<END
spacing: 0.1
duration: 0.2
fps: 10
domain: {low: [-1, 0, -1], high: [1, 2, 1], y: [wall, open]}
bodies:
  cube: {material: jelly, shape: {box: {low: [-0.3, 1, -0.3], high: [0.3, 1.6, 0.3]}}, velocity: [1, 0, 0]}
outputs: {preview: false}
END
cat > rest.yaml <<END
shape: {box: {low: [-0.3, 1, -0.3], high: [0.3, 1.6, 0.3]}}
cells: 8
nodes: 20
handles: {all: {shape: {sphere: {centre: [0, 0, 0], radius: 5}}, fix: true}}
END
"$MOTE" run fall.yaml --quiet --threads 1 -o run > /dev/null && "$MOTE" deform rest.yaml -o cube.obj --quiet || exit 1
for file in elastic.0003.vtp snapshot.mote; do
  printf 'deform: {nodes: 20}\nkeys:\n  - {time: 0}\n  - {time: 1, snapshot: run/%s}\nfps: 1\n' $file > keys.yaml
  "$MOTE" animate cube.obj keys.yaml -o frames --quiet --overwrite || exit 1
  # In 0.2 s it flies 0.2 m and falls g/2 0.04 s2 = 0.196 m.
  python3 - <<'END'
def rows(path): return [[float(x) for x in l.split()[1:4]] for l in open(path) if l.startswith('v ')]
a, b = rows('cube.obj'), rows('frames/cube.0002.obj')
moves = [[y - x for x, y in zip(p, q)] for p, q in zip(a, b)]
print(len(moves), all(abs(m[0] - 0.2) < 0.01 and abs(m[1] + 0.196) < 0.01 and abs(m[2]) < 0.01 for m in moves))
END
done
try() { sed "$1" keys.yaml > wrong.yaml; "$MOTE" animate cube.obj wrong.yaml -o x.glb 2>&1; echo "status $?"; }
try 's/snapshot.mote/missing.vtp/'
try 's/snapshot.mote/snapshot.mote, body: ball/'
try 's,run/snapshot.mote,cube.obj,'
