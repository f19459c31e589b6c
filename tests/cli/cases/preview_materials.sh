# Previews tell several materials apart where nothing else is asked for; one keeps the colours of velocities.
tank="spacing: 0.1
duration: 0.02
fps: 50
domain: {low: [0, 0, 0], high: [1, 1, 1], x: wall, y: [wall, open], z: wall}"
run() { "$MOTE" run $1.yaml -o $2 --quiet --set outputs.size=[64,48] "${@:3}" > run.log || cat run.log; }
draw() { "$MOTE" render $1 --preview --as surface --size 64x48 --quiet -o $2 "${@:3}" > draw.log || cat draw.log; }
same() { cmp -s $1 $2 && echo same || echo other; }
echo "$tank
bodies:
  left: {material: honey, shape: {box: {low: [0, 0, 0], high: [0.5, 0.5, 1]}}}
  right: {material: milk, shape: {box: {low: [0.5, 0, 0], high: [1, 0.5, 1]}}}" > two.yaml
echo "$tank
bodies: {dam: {material: honey, shape: {box: {low: [0, 0, 0], high: [0.5, 0.5, 1]}}}}" > one.yaml
for name in one two; do
  run $name $name
  for field in velocity material; do
    run $name $name-$field --set outputs.colour_by=$field
    echo "$name, spheres, $field: $(same $name/preview.0002.png $name-$field/preview.0002.png)"
  done
  draw $name $name.png; draw $name $name-material.png --colour-by material
  echo "$name, surface, material: $(same $name.png $name-material.png)"
done
