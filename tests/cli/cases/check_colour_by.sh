. "$(dirname "$0")/../small.sh"
"$MOTE" check small.yaml --set outputs.colour_by=velocty
