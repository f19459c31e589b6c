# A plate that a crack parts from the beginning: its pieces have the same names in all frames.
cat > plate.yaml <<END
dimensions: 2
spacing: 4 cm
duration: 20 ms
fps: 100
gravity: [0, 0]
domain: {low: [0, 0], high: [1, 1]}
materials: {glass: {model: elastic, density: 1000, young: 20 kPa, poisson: 0.3, order: 1, integrator: explicit, strength: 1 MPa}}
bodies:
  plate:
    material: glass
    shape: {box: {centre: [0.5, 0.5], size: [0.4, 0.4]}}
    cracks: [{point: [0.9, 0.51], ahead: [1, 0], normal: [0, 1]}]
outputs: {fragments: [glb], formats: [], preview: false}
END
"$MOTE" run plate.yaml -o run --quiet > /dev/null 2>&1
for frame in 2 3; do grep -a -o '"nodes":\[[^]]*\]' run/fragments.000$frame.glb; done
