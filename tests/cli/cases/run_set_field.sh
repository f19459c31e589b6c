. "$(dirname "$0")/../small.sh"
"$MOTE" run small.yaml --set outputs.colour_by=heat
