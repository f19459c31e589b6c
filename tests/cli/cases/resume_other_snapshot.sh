. "$(dirname "$0")/../small.sh"
# The latest is damaged; a kept one serves.
"$MOTE" run small.yaml --quiet --set outputs.snapshot_every=2 > a; echo hello > small/snapshot.mote; "$MOTE" run small --resume --quiet
"$MOTE" run small --from-frame 5 --quiet > b && cmp a b
