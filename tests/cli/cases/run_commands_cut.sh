. "$(dirname "$0")/../small.sh"
cat > steer.jsonl <<'END'
{"time": 0.05, "command": "gravity", "gravity": [0, -1]}
{"time": 0.06, "comm
END
"$MOTE" run small.yaml --commands steer.jsonl --quiet
