. "$(dirname "$0")/../small.sh"
"$MOTE" run small.yaml --quiet > a; "$MOTE" run small.yaml --from-frame 2; echo $?
rm -r small; "$MOTE" run small.yaml --quiet --set outputs.snapshot_every=2 > a; rm small/snapshot.0001.mote; "$MOTE" run small.yaml --from-frame 2
