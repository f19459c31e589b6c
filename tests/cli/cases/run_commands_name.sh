. "$(dirname "$0")/../small.sh"
cat > steer.jsonl <<'END'
{"time": 0.05, "command": "impulse", "body": "drip", "impulse": [0, 5]}
END
"$MOTE" run small.yaml --commands steer.jsonl --quiet
