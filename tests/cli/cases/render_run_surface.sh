# A surface made on the way, cut at the walls of the run.
cat > pool.yaml <<'SCENE'
spacing: 0.1
duration: 0.02
fps: 50
domain: {low: [0, 0, 0], high: [1, 1, 1], x: wall, y: [wall, open], z: wall}
bodies:
  pool: {shape: {box: {low: [0, 0, 0], high: [1, 0.5, 1]}}}
outputs: {size: [64, 64]}
SCENE
"$MOTE" run pool.yaml --quiet > run.log
"$MOTE" render pool --as surface --size 48x36 --samples 2 --frames 2 -o a.png && "$MOTE" info a.png | head -1
# A tracked surface carries the colours of two fluids: it is shown in them.
cat > two.yaml <<'SCENE'
spacing: 0.1
duration: 0.02
fps: 50
domain: {low: [0, 0, 0], high: [1, 1, 1], x: wall, y: [wall, open], z: wall}
materials: {red: {preset: water, colour: "#ff0000"}, blue: {preset: water, colour: "#0000ff"}}
bodies:
  left: {material: red, shape: {box: {low: [0, 0, 0], high: [0.5, 0.5, 1]}}}
  right: {material: blue, shape: {box: {low: [0.5, 0, 0], high: [1, 0.5, 1]}}}
track: {properties: {colour: true}}
outputs: {preview: false, surface: {method: tracked}}
SCENE
"$MOTE" run two.yaml --quiet > run.log
"$MOTE" render two --size 48x36 --samples 2 --frames 2 -o b.png && "$MOTE" render two --colour-by material --size 48x36 --samples 2 --frames 2 -o c.png && cmp b.png c.png
