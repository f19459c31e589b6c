. "$(dirname "$0")/../small.sh"
printf '%s\n' '{"step": 3, "time": 0.05, "command": "gravity", "gravity": [4, -9]}' '{"time": 1, "command": "remove_body", "body": "drop"}' > c.jsonl
"$MOTE" info c.jsonl
