. "$(dirname "$0")/../small.sh"
"$MOTE" run small.yaml --quiet > a && "$MOTE" run small --resume --quiet > b && cmp a b
