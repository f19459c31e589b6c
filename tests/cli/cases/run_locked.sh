. "$(dirname "$0")/../small.sh"
"$MOTE" run small.yaml --quiet --set duration=1000 > out 2>&1 & sleep 0.7
"$MOTE" run small.yaml; echo $?; "$MOTE" run small --resume; echo $?; kill $!; wait $!; echo $?
