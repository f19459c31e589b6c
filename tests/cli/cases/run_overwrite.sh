. "$(dirname "$0")/../small.sh"
"$MOTE" run small.yaml --quiet && touch small/mine.txt small/probe_mine.txt small/particles.0001.blend small/particles.0099.vtp small/particles.2.vtp &&
  "$MOTE" run small.yaml --overwrite --quiet --frames 1 && ls small
