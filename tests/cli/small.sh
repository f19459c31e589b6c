# What the cases about runs share: a small scene in small.yaml, a second's work at most.
cat > small.yaml <<'SCENE'
dimensions: 2
spacing: 0.1
duration: 0.2
fps: 20
domain: {low: [0, 0], high: [2, 2], x: wall, y: [wall, open]}
bodies:
  drop: {shape: {box: {low: [0, 0], high: [0.8, 1.0]}}}
probes:
  corner: {from: [0.1, 0.1], interval: 0.01}
  height: {kind: level, from: [0.2, 0], to: [0.2, 2]}
  floor: {kind: line, from: [0, 0.05], to: [2, 0.05], count: 5}
outputs: {size: [64, 64]}
solver: {quality: fast}
SCENE
# The state's hash that the last line of a run tells.
hash_of() { sed -n "s/.* state \\([0-9a-f]*\\).*/\\1/p" "$1" | tail -1; }
# Until a run in the background has written that file.
wait_for() { for _ in $(seq 600); do [ -e "$1" ] && return; sleep 0.05; done; echo "no $1" >&2; exit 9; }
