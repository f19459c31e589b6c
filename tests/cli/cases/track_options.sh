# A mesh that is coarser than the particles is still tracked; colours of materials; emitters that begin with
# nothing; what a run has left for others; refusals.
cat > ball.yaml <<'TXT'
spacing: 5 cm
duration: 0.1 s
fps: 20
gravity: 0
domain: {low: [-1, -1, -1], high: [1, 1, 1], x: open, y: open, z: open}
materials: {red: {preset: water, colour: "#ff0000"}}
bodies: {ball: {material: red, shape: {sphere: {centre: [0, 0, 0], radius: 20 cm}}, velocity: ["x", "-y", 0]}}
outputs: {preview: false}
TXT
"$MOTE" run ball.yaml -o run --quiet > /dev/null || exit 1
echo coarse:
"$MOTE" track run -o coarse --format ply --edge 2 --colour --json | sed 's/.*"changed":\([0-9]*\).*/changed \1/'
"$MOTE" info coarse/particles.0003.ply | grep colour
echo there already:
"$MOTE" track run -o 'coarse/again.%04d.ply' 2>&1; echo $?
"$MOTE" track run -o x --format ply --edge 0.1 2>&1; echo $?
echo without files of particles:
"$MOTE" run ball.yaml -o bare --quiet --frames 2 --set 'outputs.formats=[]' > /dev/null
"$MOTE" track bare -o x --format ply 2>&1; echo $?
echo emitter:
cat > tap.yaml <<'TXT'
spacing: 5 cm
duration: 0.15 s
fps: 20
gravity: 0
domain: {low: [-1, -1, -1], high: [1, 1, 1], x: open, y: open, z: open}
emitters: {tap: {centre: [0, 0.5, 0], radius: 0.1, speed: 1}}
track: {properties: {colour: true}}
outputs: {preview: false, surface: {method: tracked, formats: [ply], colour_by: velocity, fields: [rest]}}
TXT
"$MOTE" run tap.yaml -o tap --quiet > /dev/null && sed 's/.*,\([a-z]*\),.*,.*,.*/\1/' tap/events.csv | head -2
"$MOTE" info tap/surface.0004.ply | sed -n '/field/,$p' | cut -c1-34
"$MOTE" track tap -o taken --format ply > /dev/null && "$MOTE" info taken/particles.0002.ply | grep velocity
echo keys of surfaces that are made anew:
"$MOTE" check tap.yaml --set outputs.surface.cell=0.3 --set track.edge=0.6 2>&1 | grep effect
printf 'spacing: 0.1\ntrack: true\nmaterials: {wood: {model: rigid}}\nbodies: {b: {material: wood, shape: {box: {low: [0, 0, 0], high: [1, 1, 1]}}}}\n' > dry.yaml
"$MOTE" check dry.yaml 2>&1 | grep track
