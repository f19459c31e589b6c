. "$(dirname "$0")/../small.sh"
"$MOTE" run small.yaml --json --frames 2 2> err > out || exit 1
cat out; [ ! -s err ] && [ "$(tail -1 out | cut -c2-)" = "$(cut -c2- small/run.json)" ]
if command -v python3 > /dev/null; then python3 -c 'import json; [json.loads(l) for l in open("out")]'; fi
