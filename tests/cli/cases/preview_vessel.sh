# Previews show the liquid in a vessel, whole or cut, but not what is behind a block.
scene() {
  cat << YAML
spacing: 1 cm
duration: 0.01
fps: 100
domain: {low: [-0.1, 0, -0.1], high: [0.1, 0.2, 0.1], y: [wall, open]}
materials: {tea: {preset: water, colour: "$1"}}
bodies: {tea: {material: tea, shape: {cylinder: {from: [0, 0.01, 0], to: [0, 0.08, 0], radius: 4 cm}}}}
colliders: {cup: {shape: $2}}
outputs: {size: [64, 48], colour_by: material, camera: {from: [0, 0.1, 1], to: [0, 0.06, 0], angle: 10 deg}}
YAML
}
cup="{difference: [{cylinder: {from: [0, 0, 0], to: [0, 0.12, 0], radius: 5 cm}}, {cylinder: {from: [0, 0.01, 0], to: [0, 0.13, 0], radius: 4 cm}}]}"
block="{box: {low: [-0.06, 0, 0.06], high: [0.06, 0.13, 0.08]}}"
same() { cmp -s $1 $2 && echo same || echo other; }
for shape in cup block; do
  for colour in red blue; do
    mkdir -p $colour; cd $colour
    scene $colour "${!shape}" > scene.yaml
    "$MOTE" run scene.yaml -o $shape --quiet > run.log || cat run.log
    "$MOTE" render $shape --preview --frames 1 --size 64x48 --quiet -o $shape.png > draw.log || cat draw.log
    "$MOTE" render $shape --preview --frames 1 --size 64x48 --cut "z>0" --quiet -o $shape-cut.png > draw.log || cat draw.log
    cd ..
  done
  echo "$shape: $(same red/$shape/preview.0001.png blue/$shape/preview.0001.png) $(same red/$shape.png blue/$shape.png) $(same red/$shape-cut.png blue/$shape-cut.png)"
done
