# A body that is a mesh is drawn by its own triangles, not sampled anew.
printf 'v 0 0 0\nv 0.4 0 0\nv 0 0.4 0\nv 0 0 0.4\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' > tetra.obj
cat > scene.yaml <<'SCENE'
spacing: 0.1
duration: 0
domain: {low: [0, 0, 0], high: [1, 1, 1], x: wall, y: wall, z: wall}
materials: {stone: {model: rigid, density: 2000}}
bodies: {a: {material: stone, shape: {mesh: {file: tetra.obj}, move: [0.2, 0.2, 0.2]}}}
outputs: {size: [64, 64]}
SCENE
"$MOTE" run scene.yaml --quiet > /dev/null
"$MOTE" mesh scene -o 'bodies.%04d.obj' --bodies --quiet > /dev/null
grep -c '^f' bodies.0001.obj
