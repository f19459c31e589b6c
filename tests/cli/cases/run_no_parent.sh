. "$(dirname "$0")/../small.sh"
"$MOTE" run small.yaml -o a/b
