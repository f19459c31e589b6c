# The limit of speed holds for elastic particles, too: this one falls faster after 0.1 s.
cat > fast.yaml <<'SCENE'
dimensions: 2
spacing: 0.1
duration: 1
speed_limit: 1
domain: {low: [-1, 0], high: [2, inf], y: [wall, open]}
materials: {rubber: {young: 1 MPa}}
bodies: {block: {material: rubber, shape: {box: {low: [0, 5], high: [0.4, 5.4]}}}}
outputs: {preview: false}
SCENE
"$MOTE" run --quiet fast.yaml -o fast
