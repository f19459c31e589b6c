# A shape of the edits becomes a mesh; stretched, it keeps its volume, and without the term of volume it does not (EG09 Fig. 13). The same mesh as
# PLY gives the same vertices; as GLB and STL, in single precision, other nodes may be chosen.
cat > box.yaml <<END
shape: {box: {low: [0, 0, 0], high: [3, 1, 1]}}
cells: 16
nodes: 60
handles:
  left: {shape: {half_space: {point: [0.05, 0, 0], normal: [1, 0, 0]}}, fix: true}
  right: {shape: {half_space: {point: [2.95, 0, 0], normal: [-1, 0, 0]}}, move: [1.5, 0, 0]}
END
sed 's/move:.*/fix: true}/' box.yaml > rest.yaml
change() { grep -o '"volume_change":[-0-9.e]*' | sed 's/.*://'; }
"$MOTE" deform rest.yaml -o rest.obj --quiet || exit 1
"$MOTE" deform box.yaml -o box.obj --json | change > a
"$MOTE" deform box.yaml -o box2.obj --set weights.volume=0 --json | change > b
python3 -c "print('volume within 5 %:', abs(float(open('a').read())) < 0.05, 'without:', float(open('b').read()) > 0.4)"
for format in ply glb stl vtp; do
  "$MOTE" convert rest.obj rest.$format > /dev/null 2>&1
  "$MOTE" deform rest.$format box.yaml -o box.$format --json > json.$format || exit 1
  change < json.$format > volume.$format
done
"$MOTE" convert box.ply back.obj > /dev/null
python3 - <<'END'
def rows(path): return [[float(x) for x in l.split()[1:4]] for l in open(path) if l.startswith('v ')]
far = max(abs(a - b) for p, q in zip(rows('box.obj'), rows('back.obj')) for a, b in zip(p, q))
print('ply', len(rows('back.obj')) == len(rows('box.obj')), far < 1e-5)
for name in 'glb', 'stl', 'vtp': print(name, abs(float(open('volume.' + name).read())) < 0.05)
END
"$MOTE" info box.stl | sed -n '1s/ in .*//p'
