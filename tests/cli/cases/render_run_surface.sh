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
# Surfaces of some of the frames, or of other frames, are not those of the run.
"$MOTE" mesh pool -o 'pool/surface.%04d.ply' --frames 2 > mesh.log 2>&1
"$MOTE" render pool --size 16x16 --preview --frames 2 -o kept.png 2> kept.log && cat kept.log
"$MOTE" render pool --size 16x16 --preview --sheet 2 -o part.png > part.out 2> part.log; grep note part.log
"$MOTE" mesh pool -o 'pool/surface.%04d.ply' --frames 1 > mesh.log 2>&1 && cp pool/surface.0001.ply pool/surface.0003.ply
"$MOTE" render pool --size 16x16 --preview --frames 2 -o old.png 2>&1
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
