# An environment, lamps and the daylight of a scene change a picture; without them it stays the same.
cat > glass.yaml <<'SCENE'
spacing: 0.1
duration: 0
domain: {low: [0, 0, 0], high: [1, 1, 1], x: wall, y: [wall, open], z: wall}
materials: {wine: {preset: water, colour: "#7a1020", colour_depth: 1 m}}
bodies: {pool: {material: wine, shape: {box: {low: [0, 0, 0], high: [1, 0.4, 1]}}}}
colliders: {post: {look: glass, shape: {box: {low: [0.4, 0, 0.4], high: [0.6, 0.9, 0.6]}}}}
outputs: {preview: false}
SCENE
"$MOTE" run glass.yaml -o plain --quiet > run.log
sed 's/look: glass/look: metal/' glass.yaml > metal.yaml
"$MOTE" run metal.yaml -o metal --quiet > run.log
{ cat glass.yaml; echo 'lamps: {bulb: {centre: [0.5, 1.5, 0.5], power: 20, radius: 0.1}}'; } > lamp.yaml
"$MOTE" run lamp.yaml -o lamp --quiet > run.log
sed 's/preview: false/preview: false, daylight: 0.5/' lamp.yaml > dim.yaml
"$MOTE" run dim.yaml -o dim --quiet > run.log
{ printf '#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n'; printf '\200\200\200\200\377\040\040\202'; } > two.hdr
draw() { "$MOTE" render "$1" --as surface --size 32x24 --samples 2 -o "$2.png" --quiet --bare $3; }
draw plain a && draw plain b "--daylight 1" && cmp a.png b.png && echo same
draw metal c && draw lamp d && draw dim e && draw plain f "--environment two.hdr" && draw plain g "--environment two.hdr --environment-turn 90"
for k in a c d e f g; do cksum < $k.png; done | sort -u | wc -l | tr -d ' '
