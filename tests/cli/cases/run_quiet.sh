. "$(dirname "$0")/../small.sh"
"$MOTE" run small.yaml --quiet 2> err; cat err; [ ! -s err ]
