# What the spacing does not resolve is warned of by check and by run: a narrow tap, a pea in water; wider ones, and peas where nothing flows, are not.
cat > tap.yaml <<'SCENE'
spacing: 4 mm
duration: 0
domain: {low: [0, 0, 0], high: [0.1, 0.1, 0.1], x: wall, y: [wall, open], z: wall}
materials: {cork: {model: rigid, density: 200}}
bodies:
  pea: {material: cork, shape: {sphere: {centre: [0.05, 0.02, 0.05], radius: 3 mm}}}
  nut: {material: cork, shape: {sphere: {centre: [0.05, 0.06, 0.05], radius: 3 mm}}}
emitters: {tap: {centre: [0.05, 0.09, 0.05], direction: [0, -1, 0], radius: 4.5 mm, speed: 1}}
outputs: {preview: false, formats: []}
SCENE
warned() { "$MOTE" "$@" 2>&1 | grep warning; }
warned check tap.yaml
warned run --quiet tap.yaml
warned check tap.yaml --set emitters.tap.radius=8mm --set bodies.pea.shape.sphere.radius=4mm --set bodies.nut.shape.sphere.radius=4mm
grep -v emitters tap.yaml > dry.yaml
warned check dry.yaml
true
