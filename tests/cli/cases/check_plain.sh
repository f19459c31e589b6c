. "$(dirname "$0")/../small.sh"
"$MOTE" check small.yaml
