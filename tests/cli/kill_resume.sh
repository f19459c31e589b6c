#!/bin/bash
# kill_resume.sh MOTE N [steered | SCENE.yaml] [KEY=VALUE]...: a run (with changes of the scene, and steered by commands; of another scene) that is killed at N random moments (and asked to stop at N/4 more) and resumed
# each time ends in the same state, with the same files, as one that was left in peace.
set -eu
mote=$1 kills=$2
shift 2
steered= other=
case ${1:-} in
  steered) steered=yes; shift ;;
  *.yaml) other=$(realpath "$1"); shift ;;
esac
set -- "${@/#/--set=}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat > scene.yaml <<'SCENE'
dimensions: 2
spacing: 0.04
duration: 0.5
fps: 40
domain: {low: [0, 0], high: [2, 2], x: wall, y: [wall, open]}
bodies:
  dam: {shape: {box: {low: [0, 0], high: [0.8, 1.2]}}}
colliders:
  paddle: {shape: {box: {low: [1.2, 0], high: [1.3, 0.6]}}, motion: {angle: "0.5*sin(10*t)"}}
emitters:
  tap: {centre: [1.6, 1.5, 0], radius: 0.1, speed: 1}
probes:
  corner: {from: [0.1, 0.1], interval: 0.01}
outputs: {formats: [vtp, csv], size: [64, 48], snapshot_every: 4}
SCENE
[ -z "$other" ] || cp "$other" scene.yaml
cat > commands.jsonl <<'COMMANDS'
{"time": 0.1, "command": "collider_pose", "collider": "paddle", "move": [0.2, 0.1], "turn": [0, 0, 1], "seconds": 0.1}
{"time": 0.2, "command": "gravity", "gravity": [3, -9]}
{"time": 0.25, "command": "emitter_speed", "emitter": "tap", "speed": 2}
{"time": 0.3, "command": "impulse", "body": "dam", "impulse": [300, 900]}
{"time": 0.3, "command": "force", "body": "dam", "force": [-900, 0]}
{"time": 0.35, "command": "remove_collider", "collider": "paddle"}
{"time": 0.4, "command": "remove_body", "body": "tap"}
COMMANDS
[ -z "$steered" ] || set -- --commands commands.jsonl "$@"
milliseconds() { date +%s%3N; }
began=$(milliseconds)
"$mote" run scene.yaml "$@" -o straight --quiet > straight.out
whole=$(($(milliseconds) - began))

# Moments spread over a straight run's time, which resumed runs stretch over many starts.
"$mote" run scene.yaml "$@" -o killed --quiet --autosave 0 > killed.out 2> killed.err &
for kill in $(seq $((kills + kills / 4))); do
  pause=$((RANDOM * (whole / 3 + 20) / 32768))
  sleep "$(printf '%d.%03d' $((pause / 1000)) $((pause % 1000)))"
  signal=KILL
  [ $((kill % 5)) = 0 ] && signal=TERM
  kill -$signal $! 2> /dev/null || true
  wait $! 2> /dev/null || true
  again=--resume
  [ -f killed/scene.yaml ] || again=--overwrite  # killed before there was anything
  "$mote" run scene.yaml "$@" -o killed --quiet --autosave 0 $again --threads $((kill % 3 + 1)) > killed.out 2> killed.err &
done
if ! wait $!; then
  echo "the resumed run failed:"
  cat killed.err
  exit 1
fi

state() { sed -n 's/.* state //p' "$1"; }
echo "straight $(state straight.out), killed $kills times $(state killed.out)"
[ "$(state straight.out)" = "$(state killed.out)" ]
[ -n "$(state straight.out)" ]
for file in straight/*; do
  name=$(basename "$file")
  case $name in
    run.json) continue ;;  # tells how long it took
  esac
  cmp "$file" "killed/$name"
done
[ "$(ls straight)" = "$(ls killed)" ]
"$mote" diff straight/snapshot.mote killed/snapshot.mote
