# Copies without a count fill their region: tens of thousands of names are compared within the limits of `mote check`.
ulimit -t 5
cat > many.yaml <<'SCENE'
spacing: 0.015
duration: 1
domain: {low: [-1, 0, -1], high: [1, 1.5, 1], y: [wall, open]}
materials: {stone: {model: rigid, density: 2700}}
bodies:
  blocks:
    material: stone
    shape: {box: {centre: [0, 0, 0], size: [0.01, 0.01, 0.01]}}
    copies: {within: {box: {low: [-0.4, 0.05, -0.4], high: [0.4, 0.5, 0.4]}}}
SCENE
"$MOTE" check many.yaml | grep bodies
