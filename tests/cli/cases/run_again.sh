. "$(dirname "$0")/../small.sh"
"$MOTE" run small.yaml --quiet > out && "$MOTE" run small.yaml
