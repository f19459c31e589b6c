. "$(dirname "$0")/../small.sh"
"$MOTE" run small.yaml --quiet > a; echo hello > small/snapshot.mote; "$MOTE" run small.yaml --resume
