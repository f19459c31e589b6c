. "$(dirname "$0")/../small.sh"
"$MOTE" run small.yaml --quiet --set duration=1000 > out 2>&1 & wait_for small/snapshot.mote
"$MOTE" run small.yaml; echo $?; "$MOTE" run small --resume; echo $?; kill $!; wait $!; echo $?
