. "$(dirname "$0")/../small.sh"
# Killed before the first snapshot: begins anew.
"$MOTE" run small.yaml --quiet > a; rm small/snapshot.mote; "$MOTE" run small.yaml --resume --quiet > b && cmp a b
