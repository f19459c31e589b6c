# Nozzles in walls and probes where no fluid can be are no errors, but check wonders.
. "$(dirname "$0")/../small.sh"
"$MOTE" check small.yaml --set 'colliders={post: {shape: {box: {low: [0.4, 0], high: [0.8, 0.5]}}}}' \
  --set 'emitters={jet: {centre: [0.6, 0.2], direction: [1, 0], radius: 0.1, speed: 1}}' \
  --set 'probes={far: {kind: point, from: [9, 0.1]}, deep: {kind: point, from: [0.6, 0.3]}}' > out
