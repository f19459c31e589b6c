# Foam of a drop that falls into a pool: as much with a ledger as without, the same bytes for any threads, pictures
# with it and without; what it refuses.
cat > drop.yaml <<'TXT'
dimensions: 2
spacing: 2 cm
duration: 0.4 s
fps: 20
solver: {quality: fast}
domain: {low: [0, 0], high: [0.8, 2], x: wall, y: [wall, open]}
colliders: {post: {shape: {box: {low: [0.3, 0], high: [0.34, 0.5]}}}}
bodies:
  pool: {shape: {box: {low: [0, 0], high: [0.8, 0.2]}}}
  drop: {shape: {sphere: {centre: [0.6, 0.45], radius: 0.1}}, velocity: [0, -4]}
outputs: {preview: false}
TXT
"$MOTE" run drop.yaml -o run --quiet --ledger > /dev/null || exit 1
"$MOTE" foam run --threads 1 --quiet || exit 1
ls run | grep -c '^foam.000[1-9].vtp$'
ls run/foam.pvd
"$MOTE" foam run -o other --format vtp --threads 2 --json | sed 's/.*"born":\([0-9]*\).*/\1/' > born
awk '{n += $1} END {print (n > 100 ? "many" : n)}' born
for k in 1 2 3 4 5 6 7 8 9; do cmp run/foam.000$k.vtp other/foam.000$k.vtp || exit 1; done
"$MOTE" info run/foam.0009.vtp | sed -n '/field/,$p' | cut -c1-26
mkdir bare && cp run/scene.yaml run/particles.*.vtp bare
"$MOTE" foam bare -o 'bare/x.%04d.csv' --json --height 0.55 --amount 1000 --life 2 --air 1.2 --size 0.002 --seed 4 | grep -c '"refused":0'
"$MOTE" foam run -o few --most 5 --quiet 2>&1
echo refusals:
"$MOTE" foam run 2>&1; echo $?
"$MOTE" foam 2>&1; echo $?
"$MOTE" foam nowhere 2>&1; echo $?
"$MOTE" foam run -o x.vtp 2>&1; echo $?
"$MOTE" foam run --size 0 -o y 2>&1; echo $?
mkdir none && cp run/scene.yaml none && "$MOTE" foam none 2>&1; echo $?
printf 'spacing: 0.1\nduration: 0.01\nmaterials: {w: {model: rigid}}\nbodies: {a: {material: w, shape: {box: {low: [0, 0, 0], high: [1, 1, 1]}}}}\n' > dry.yaml
"$MOTE" run dry.yaml -o dry --quiet > /dev/null; "$MOTE" foam dry 2>&1; echo $?
sed 's/x: wall/x: periodic/' drop.yaml > round.yaml; "$MOTE" run round.yaml -o round --quiet --frames 1 > /dev/null; "$MOTE" foam round 2>&1; echo $?
