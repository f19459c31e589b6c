. "$(dirname "$0")/../small.sh"
"$MOTE" run small.yaml --quiet --set duration=1000 --set outputs.preview=false 2> err & sleep 0.7; mv small gone; wait $!; s=$?; cat err; exit $s
