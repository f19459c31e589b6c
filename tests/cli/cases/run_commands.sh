. "$(dirname "$0")/../small.sh"
cat > steer.jsonl <<'END'
{"time": 0.05, "command": "gravity", "gravity": [4, -9]}
{"time": 0.12, "command": "impulse", "body": "drop", "impulse": [0, 500]}
END
"$MOTE" run small.yaml --commands steer.jsonl -o a --quiet > a.out && "$MOTE" run small.yaml --commands a/commands.jsonl -o b --quiet > b.out &&
  "$MOTE" run small.yaml -o plain --quiet > plain.out
[ "$(hash_of a.out)" = "$(hash_of b.out)" ] && [ "$(hash_of a.out)" != "$(hash_of plain.out)" ] && echo same
cmp a/commands.jsonl b/commands.jsonl && [ ! -e plain/commands.jsonl ] && sed 's/[0-9][0-9.e-]*/#/g' a/commands.jsonl
