# Where something may break the time is that before the impact, and unknown from there on; without a strength it is that of the whole.
cat > pot.yaml <<'SCENE'
spacing: 4 cm
duration: 0.2 s
domain: {low: [-1, 0, -1], high: [1, 2, 1], y: wall}
materials: {clay: {model: elastic, density: 1900, young: 2 MPa, poisson: 0.2, strength: 0.2 MPa}}
bodies: {pot: {material: clay, velocity: [0, -3, 0], shape: {box: {low: [-0.1, 0.4, -0.1], high: [0.1, 0.6, 0.1]}}}}
outputs: {size: [64, 64]}
SCENE
"$MOTE" check pot.yaml | grep -o 'on this machine.*'
"$MOTE" check pot.yaml --set materials.clay.strength=inf | grep -o 'on this machine.*'
"$MOTE" check pot.yaml --set gravity=0 --set "bodies.pot.velocity=[0, 1, 0]" | grep -o 'on this machine.*'
