# info reads every file that mote writes; outputs.fields acts on the files of elastic particles; no table has comments.
. "$(dirname "$0")/../small.sh"
cat > both.yaml <<'SCENE'
spacing: 0.1
duration: 0.04
domain: {low: [0, 0, 0], high: [1, 1, 1], x: wall, y: [wall, open], z: wall}
materials: {soft: {model: elastic, density: 1000, young: 1e5}, stone: {model: rigid, density: 2000}}
bodies:
  a: {material: soft, shape: {box: {low: [0.2, 0.5, 0.2], high: [0.5, 0.8, 0.5]}}}
  b: {material: stone, shape: {box: {low: [0.6, 0.6, 0.6], high: [0.8, 0.8, 0.8]}}}
  c: {shape: {box: {low: [0, 0, 0], high: [1, 0.3, 1]}}}
probes: {p: {from: [0.5, 0.2, 0.5]}}
outputs: {size: [64, 64], formats: [vtp, csv], fields: [velocity, stress], surface: {formats: [obj]}}
solver: {quality: fast}
SCENE
"$MOTE" run both.yaml --quiet > /dev/null
"$MOTE" sample both/particles.0001.vtp --grid 0.1,0.1,0.1:0.5,0.3,0.5:0.1 --field velocity -o g.vti
"$MOTE" sample both/particles.0001.vtp --grid 0.1,0.1,0.1:0.5,0.3,0.5:0.1 --field velocity -o g.csv
"$MOTE" sample both/particles.0001.vtp --line 0.1,0.1,0.1:0.5,0.3,0.5:5 --field velocity -o g.svg
"$MOTE" render both -o f.gif --preview --size 64x36 --quiet > /dev/null
for f in both/* g.* f.gif; do "$MOTE" info "$f" > out.txt || echo "$f"; "$MOTE" info "$f" --json > out.json || echo "$f"; done
"$MOTE" info both/elastic.0002.vtp | grep -c 'stress\|velocity'
"$MOTE" info both/elastic.0002.vtp | grep 'mass\|plastic'
head -1 both/elastic.0002.csv both/particles.0002.csv both/totals.csv both/probe_p.csv both/bodies.csv g.csv | cut -c1-20 | grep '^[a-z#]'
cat both/elastic.0002.csv both/particles.0002.csv g.csv | grep -c '#'
"$MOTE" info g.vti both/particles.pvd | head -4
"$MOTE" sample both/particles.0001.vtp --at 0.5,0.2 --field velocity; echo "status $?"
"$MOTE" convert both/particles.0002.csv round.vtp > /dev/null && "$MOTE" info round.vtp | grep velocity | cut -c1-40
