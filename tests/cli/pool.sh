# What the cases about walls share: a pool at rest in a tank of 0.8 m, 0.4 m deep, and a check of a surface of it.
cat > pool.yaml <<'SCENE'
spacing: 0.05
duration: 0.05
fps: 20
solver: {quality: fast}
domain: {low: [0, 0, 0], high: [0.8, 0.8, 0.8], x: wall, y: [wall, open], z: wall}
bodies:
  pool: {shape: {box: {low: [0, 0, 0], high: [0.8, 0.4, 0.8]}}}
outputs: {preview: false, surface: {formats: [ply], fields: [velocity]}}
SCENE
# A number or a triple of what info says of a mesh.
told() { "$MOTE" info "$1" --json | grep -oE "\"$2\":(\[[^]]*|[^,]*)" | sed 's/.*[:[]//' | tr ',' ' '; }
# Volume within 2 % of the water's, closed, and up to the walls within 0.01 d; the upper side within a fifth of d.
fills_tank() {
  echo "$(told "$1" volume) $(told "$1" low) $(told "$1" high) $(told "$1" open_edges)" | awk '
    function near(a, b, most) { return a - b <= most && b - a <= most }
    { volume = near($1 / 0.256, 1, 0.02)
      walls = near($2, 0, 5e-4) && near($3, 0, 5e-4) && near($4, 0, 5e-4) && near($5, 0.8, 5e-4) && near($7, 0.8, 5e-4)
      print volume ? "volume" : "volume " $1, walls ? "walls" : "no walls", near($6, 0.4, 0.01) ? "level" : "level " $6, $8 }'
}
