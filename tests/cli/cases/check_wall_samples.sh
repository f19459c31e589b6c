# Samples of walls are counted, and are part of the memory; a joined collider far larger than the domain is clipped to it.
cat > pit.yaml <<'SCENE'
spacing: 0.05
domain: {low: [0, 0, 0], high: [1, 1, 1], x: wall, y: [wall, open], z: wall}
bodies: {water: {shape: {box: {low: [0.4, 0.6, 0.4], high: [0.6, 0.8, 0.6]}}}}
colliders: {earth: {shape: {difference: [{sphere: {centre: [0.5, 0.5, 0.5], radius: 1000}}, {box: {low: [0.2, 0.3, 0.2], high: [0.8, 1500, 0.8]}}]}}}
outputs: {preview: false}
SCENE
"$MOTE" check pit.yaml --json > json || exit 1
sed 's/.*"bytes":\([0-9]*\),"wall_samples":\([0-9]*\).*/\1 \2/' json | awk '{ print ($2 > 100 && $2 < 1e5), ($1 > 1e5 && $1 < 1e8) }'
