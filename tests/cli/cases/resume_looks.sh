. "$(dirname "$0")/../small.sh"
"$MOTE" run small.yaml --quiet > a; "$MOTE" run small.yaml --resume --quiet --set title=new --set outputs.preview=false --set duration=0.25 && ls small | grep -c preview
