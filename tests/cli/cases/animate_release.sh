# A cube that is moved and turned by keys is let go: an elastic body goes on with its pose and velocities.
cat > fall.yaml <<END
spacing: 0.1
duration: 0.2
fps: 10
domain: {low: [-1, 0, -1], high: [3, 4, 1], y: [wall, open]}
bodies:
  cube: {material: jelly, shape: {box: {low: [-0.3, 1, -0.3], high: [0.3, 1.6, 0.3]}}}
outputs: {preview: false}
END
cat > keys.yaml <<END
deform:
  shape: {box: {low: [-0.3, 1, -0.3], high: [0.3, 1.6, 0.3]}}
  cells: 8
  nodes: 20
  handles: {all: {shape: {sphere: {centre: [0, 0, 0], radius: 5}}}}
keys:
  - {time: 0}
  - {time: 1, handles: {all: {move: [1, 0.5, 0], rotate: {axis: [0, 0, 1], angle: 1 rad}}}}
END
"$MOTE" animate keys.yaml --release fall.yaml -o start.jsonl --quiet
"$MOTE" run fall.yaml --commands start.jsonl --quiet --threads 1 -o run > /dev/null || exit 1
"$MOTE" convert run/elastic.0001.vtp first.csv > /dev/null && "$MOTE" convert run/elastic.0003.vtp last.csv > /dev/null
# Turned by 1 rad, at (1, 0.5, 0) m/s and 1 rad/s; 0.2 s later 0.2 m farther, and g/2 0.04 s2 = 0.196 m lower.
python3 - <<'END'
import csv, math
def table(path):
  rows = list(csv.DictReader(l for l in open(path) if l[0] != '#'))
  return {a: [float(r[k]) for r in rows] for a, k in zip(('x', 'y', 'u', 'v'), ('x', 'y', 'velocity_x', 'velocity_y'))}
a, b = table('first.csv'), table('last.csv')
mean = lambda v: sum(v) / len(v)
x0, y0 = mean(a['x']), mean(a['y'])
print('placed', abs(x0 - 1) < 0.01 and abs(y0 - 1.8) < 0.01)
print('corner', abs(max(a['x']) - x0 - 0.25 * (math.cos(1) + math.sin(1))) < 0.01)
print('speed', abs(mean(a['u']) - 1) < 0.01 and abs(mean(a['v']) - 0.5) < 0.01)
r = [(x - x0, y - y0, u - 1, v - 0.5) for x, y, u, v in zip(a['x'], a['y'], a['u'], a['v'])]
print('spin', abs(sum(x * v - y * u for x, y, u, v in r) / sum(x * x + y * y for x, y, _, _ in r) - 1) < 0.01)
print('flight', abs(mean(b['x']) - x0 - 0.2) < 0.005 and abs(mean(b['y']) - y0 - 0.1 + 0.196) < 0.005)
END
try() { "$MOTE" animate keys.yaml "$@" 2>&1; echo "status $?"; }
try --release fall.yaml -o x.glb
try -o x.jsonl
try --release fall.yaml --body ball -o x.jsonl
try --release fall.yaml -o start.jsonl
try --body cube -o x.glb
try --release fall.yaml --at 1e9 -o x.jsonl
sed 's/low: \[-0.3, 1/low: [0.7, 1/; s/high: \[0.3, 1.6/high: [1.3, 1.6/' fall.yaml > far.yaml; try --release far.yaml -o x.jsonl
sed 's/high: \[3/high: [1/' fall.yaml > small.yaml; try --release small.yaml -o x.jsonl
