. "$(dirname "$0")/../small.sh"
"$MOTE" run small.yaml --quiet > a; truncate -s -100 small/snapshot.mote; cp small/snapshot.mote kept
"$MOTE" run small.yaml --resume; s=$?; cmp kept small/snapshot.mote && exit $s
