. "$(dirname "$0")/../small.sh"
"$MOTE" run small.yaml --quiet > /dev/null; "$MOTE" run small.yaml --resume --set spacing=0.05 --set bodies.drop.material=oil --set title=new
