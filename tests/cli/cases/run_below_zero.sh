cat > cold.yaml <<E
dimensions: 2
spacing: 0.05
duration: 1
heat: true
domain: {low: [0, 0], high: [1, 1], x: wall, y: [wall, open]}
bodies: {pool: {material: water, temperature: 280, shape: {box: {low: [0, 0], high: [1, 0.3]}}}}
forces:
  lamp: {heating: 1e6}
  cooler: {heating: "-3e10"}
outputs: {preview: false}
E
"$MOTE" run cold.yaml --quiet -o cold
