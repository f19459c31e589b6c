. "$(dirname "$0")/../small.sh"
cat > steer.jsonl <<'END'
{"time": 0.05, "command": "gravity", "gravity": [4, -9]}
END
"$MOTE" run small.yaml --commands steer.jsonl --quiet --frames 4 > out || exit 9
echo '{"step": 1, "command": "gravity", "gravity": [0, 0]}' >> steer.jsonl
"$MOTE" run small.yaml --resume --commands steer.jsonl --quiet
