. "$(dirname "$0")/../small.sh"
touch taken; "$MOTE" run small.yaml -o taken
