# What the cases about surfaces of runs share: a small scene in three dimensions, in box.yaml.
cat > box.yaml <<'SCENE'
spacing: 0.1
duration: 0.1
fps: 20
solver: {quality: fast}
domain: {low: [0, 0, 0], high: [1, 1, 0.5], x: wall, y: [wall, open], z: wall}
bodies:
  drop: {shape: {box: {low: [0, 0, 0], high: [0.5, 0.5, 0.5]}}}
outputs: {preview: false, surface: {formats: [vtp, ply], fields: [velocity], colour_by: pressure}}
SCENE
