. "$(dirname "$0")/../small.sh"
"$MOTE" check --json small.yaml
