# In 2D two numbers are enough for every point and direction of a shape.
for shape in 'half_space: {point: [0, 0.5], normal: [0, 1]}' 'capsule: {from: [1, 1], to: [1, 1.5], radius: 0.2}' \
  'cylinder: {from: [1, 1], to: [1, 1.5], radius: 0.2}' 'torus: {centre: [1, 1], axis: [0, 1], radius: 0.5, thickness: 0.2}' \
  'ellipsoid: {centre: [1, 1], radii: [0.3, 0.2]}' 'box: {centre: [1, 1], size: [0.3, 0.2]}'; do
  printf '{dimensions: 2, spacing: 0.1, domain: {low: [0, 0], high: [2, 2], x: wall, y: wall},\n' > flat.yaml
  printf 'bodies: {all: {shape: {box: {low: [0, 0], high: [2, 2]}}}}, colliders: {it: {shape: {%s}}}}\n' "$shape" >> flat.yaml
  "$MOTE" check flat.yaml | grep '  particles' || exit 1
done
