. "$(dirname "$0")/../small.sh"
"$MOTE" run small.yaml --quiet > a; "$MOTE" run small.yaml -o other --quiet --set spacing=0.09 > a; cp other/snapshot.mote small/
"$MOTE" run small.yaml --resume
