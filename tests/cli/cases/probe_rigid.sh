# A level gauge beside a rigid body can be read before the first step.
cat > log.yaml <<EOF
spacing: 0.1
duration: 0.04
fps: 50
solver: {quality: fast}
domain: {low: [0, 0, 0], high: [1, 1, 1], x: wall, y: wall, z: wall}
materials: {wood: {model: rigid, density: 600}}
bodies:
  water: {shape: {box: {low: [0, 0, 0], high: [1, 0.3, 1]}}}
  log: {material: wood, shape: {box: {low: [0.4, 0.4, 0.4], high: [0.6, 0.6, 0.6]}}}
probes: {gauge: {kind: level, from: [0.2, 0, 0.5], to: [0.2, 1, 0.5]}}
outputs: {preview: false}
EOF
"$MOTE" run log.yaml --quiet --threads 1 -o out > /dev/null || exit 1
cut -d, -f1-2 out/probe_gauge.csv | sed -n 's/^0,0\.\(29\|30\).*/level/p'
