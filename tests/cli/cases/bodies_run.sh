# Copies of a body fall; they are stopped, resumed, drawn and written as meshes where they were.
cat > stones.yaml <<EOF
spacing: 0.05
duration: 0.4
fps: 10
domain: {low: [-1, 0, -1], high: [1, 2, 1], y: [wall, open]}
materials: {stone: {model: rigid, density: 2000}}
bodies:
  stone:
    material: stone
    shape: {box: {centre: [0, 0, 0], size: [0.2, 0.1, 0.1]}}
    copies: {count: 8, within: {box: {low: [-0.3, 0.5, -0.3], high: [0.3, 1.5, 0.3]}}}
outputs: {preview: false}
EOF
"$MOTE" run stones.yaml --quiet --threads 1 -o whole > whole.txt || exit 1
"$MOTE" run stones.yaml --quiet --threads 1 -o part --frames 3 > /dev/null || exit 1
"$MOTE" run stones.yaml --quiet --threads 2 -o part --resume > part.txt || exit 1
test "$(sed 's/.*state//' whole.txt)" = "$(sed 's/.*state//' part.txt)" && echo same state
cmp whole/bodies.csv part/bodies.csv && echo same table
ls whole | grep -c particles
"$MOTE" render whole --preview --size 160x90 --frames 1 -o first.png > /dev/null || exit 1
"$MOTE" render whole --preview --size 160x90 --frames 5 -o last.png > /dev/null || exit 1
cmp -s first.png last.png || echo they moved
"$MOTE" mesh whole -o meshes; echo status $?
"$MOTE" mesh whole -o 'stones.%04d.ply' --bodies --quiet | grep -v volume
"$MOTE" info stones.0005.ply | grep -c closed
