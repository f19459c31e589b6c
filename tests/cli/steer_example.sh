#!/bin/bash
# steer_example.sh MOTE EXAMPLE FOLDER: the example of FOLDER steers its scene; its record replays to the same
# state in mote run, with other threads, and after a stop and a resume, with or without the file named again.
set -eu
mote=$1 example=$2 scene=$3/steer.yaml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$example" "$scene" record.jsonl | tee live.out
state() { sed -n 's/.*state \([0-9a-f]*\).*/\1/p' "$1"; }
live=$(state live.out)
[ -n "$live" ]
quiet="--quiet --set outputs.preview=false"
"$mote" run "$scene" --commands record.jsonl -o straight $quiet --threads 2 > straight.out
"$mote" run "$scene" --commands record.jsonl -o cut $quiet --frames 15 > cut.out
"$mote" run cut --resume $quiet --threads 1 > resumed.out
for out in straight resumed; do
  [ "$(state $out.out)" = "$live" ] || { echo "$out: $(state $out.out), live: $live"; exit 1; }
done
cmp record.jsonl straight/commands.jsonl
cmp record.jsonl cut/commands.jsonl
[ "$(state cut.out)" != "$live" ]
# Commands that the run has not had are refused.
sed 's/"gravity": \[3,/"gravity": [2,/' record.jsonl > other.jsonl
if "$mote" run cut --resume $quiet --frames 99 --commands other.jsonl 2> refused.err; then exit 1; fi
grep -q 'other.jsonl:[0-9]*:1: this is in the past' refused.err || { cat refused.err; exit 1; }
