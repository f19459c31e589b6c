. "$(dirname "$0")/../small.sh"
echo '{"time": 0.05, "command": "impuls", "body": "drop", "impulse": [0, 5]}' > steer.jsonl
"$MOTE" run small.yaml --commands steer.jsonl --quiet
