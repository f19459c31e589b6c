. "$(dirname "$0")/../small.sh"
cat > steer.jsonl <<'END'
{"time": 0.05, "command": "impulse", "body": "drop", "impulse": [0, 5, 1]}
END
"$MOTE" run small.yaml --commands steer.jsonl --quiet
status=$?
sed -i 's/5, 1/5/' steer.jsonl
"$MOTE" run small.yaml --resume --commands steer.jsonl --quiet > again.out || exit 9
"$MOTE" run small.yaml --commands steer.jsonl --quiet -o whole > whole.out || exit 8
[ "$(hash_of again.out)" = "$(hash_of whole.out)" ] || exit 7
exit $status
