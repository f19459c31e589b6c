# A piston presses water into a closed tank: said once when it shows, in the closing line and in run.json.
cat > tank.yaml <<EOF
dimensions: 2
spacing: 0.05
duration: 0.8
fps: 10
domain: {low: [0, 0], high: [1, 1], x: wall, y: wall}
bodies: {water: {shape: {box: {low: [0.2, 0], high: [1, 1]}}}}
colliders: {piston: {shape: {box: {low: [0, 0], high: [0.2, 1]}}, motion: {move: ["0.06*t", 0]}}}
outputs: {preview: false}
solver: {quality: fast}   # a wide kernel gives up before the water is compressed so far
EOF
"$MOTE" run tank.yaml --quiet --threads 1 -o out | grep -o 'warning: .*' | sed 's/[0-9.]* %/N %/; s/t = [0-9.]*/t = T/'
grep -o '"compressed":{"time":[0-9.]*,"mean":0.0[0-9]*,"reason":"there is more' out/run.json | sed 's/[0-9.]\{3,\}/N/g'
