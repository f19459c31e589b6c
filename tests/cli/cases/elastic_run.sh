# An elastic box falls on the floor: run, resume, picture, and mesh.
cat > box.yaml <<END
spacing: 0.1
duration: 0.3
fps: 10
domain: {low: [-1, 0, -1], high: [1, 2, 1], y: [wall, open]}
bodies: {box: {material: jelly, shape: {box: {low: [-0.2, 0.1, -0.2], high: [0.2, 0.5, 0.2]}}}}
outputs: {preview: false}
END
"$MOTE" run box.yaml --quiet --threads 1 -o whole > whole.txt || exit 1
"$MOTE" run box.yaml --quiet --threads 1 -o part --frames 2 > /dev/null || exit 1
"$MOTE" run box.yaml --quiet --threads 2 -o part --resume > part.txt || exit 1
test "$(sed 's/.*state//' whole.txt)" = "$(sed 's/.*state//' part.txt)" && echo same state
cmp whole/elastic.0004.vtp part/elastic.0004.vtp && echo same file
"$MOTE" render whole --preview --size 160x90 --frames 1 -o first.png > /dev/null || exit 1
"$MOTE" render whole --preview --size 160x90 --frames 4 -o last.png > /dev/null || exit 1
cmp -s first.png last.png || echo it moved
"$MOTE" mesh whole -o 'box.%04d.ply' --bodies --quiet > /dev/null || exit 1
"$MOTE" info box.0004.ply | grep -c closed
