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
