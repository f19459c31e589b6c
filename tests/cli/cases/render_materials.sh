# Looks follow the preset and the colour; several materials are told apart.
scene() {
  cat > $1.yaml; "$MOTE" run $1.yaml --quiet > run.log
  draw $1 $1.png
}
draw() { "$MOTE" render $1 --as surface --size 32x24 --samples 1 --quiet -o $2 ${@:3} > draw.log || cat draw.log; }
same() { cmp -s $1 $2 && echo same || echo other; }
tank="spacing: 0.1
duration: 0.02
fps: 50
domain: {low: [0, 0, 0], high: [1, 1, 1], x: wall, y: [wall, open], z: wall}
outputs: {preview: false}"
dam="bodies: {dam: {material: it, shape: {box: {low: [0, 0, 0], high: [0.5, 0.5, 1]}}}}"
scene thin <<< "$tank
materials: {it: {preset: syrup, viscosity: 0.8}}
$dam"
scene dyed <<< "$tank
materials: {it: {preset: syrup, colour: orange}}
$dam"
scene own <<< "$tank
materials: {it: {density: 1200, colour: \"#ff8800\"}}
$dam"
scene two <<< "$tank
bodies:
  left: {material: honey, shape: {box: {low: [0, 0, 0], high: [0.5, 0.5, 1]}}}
  right: {material: milk, shape: {box: {low: [0.5, 0, 0], high: [1, 0.5, 1]}}}"
draw thin syrup.png --look syrup; echo "thin syrup: $(same thin.png syrup.png)"
draw dyed syrup2.png --look syrup; echo "dyed syrup: $(same dyed.png syrup2.png)"
draw own water.png --look water; echo "own as water: $(same own.png water.png)"
draw two two-by.png --colour-by material; echo "two by material: $(same two.png two-by.png)"
