. "$(dirname "$0")/../small.sh"
"$MOTE" run small.yaml --quiet > run.log
"$MOTE" render --quiet small --size 64x36 -o video.mp4 && "$MOTE" render --quiet small --sheet 3 --size 64x36
