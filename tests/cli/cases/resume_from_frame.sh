. "$(dirname "$0")/../small.sh"
"$MOTE" run small.yaml --quiet --set outputs.snapshot_every=2 > a; ls small | grep snapshot; cp -r small before
"$MOTE" run small.yaml --from-frame 4 --frames 3 --set outputs.snapshot_every=2 --quiet || exit 1; ls small | grep -c vtp
"$MOTE" run small.yaml --resume --set outputs.snapshot_every=2 --quiet > b && cmp a b || exit 1
for file in before/*.csv before/*.vtp before/*.pvd before/*.mote; do cmp $file small/$(basename $file) || exit 1; done
