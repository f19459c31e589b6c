. "$(dirname "$0")/../small.sh"
"$MOTE" run small.yaml --quiet --set duration=1000 --set outputs.preview=false 2> err & wait_for small/particles.0003.vtp; mv small gone; wait $!; s=$?; cat err; exit $s
