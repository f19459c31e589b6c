. "$(dirname "$0")/../small.sh"
"$MOTE" check small.yaml --set domain.y=open --set "domain.high=[0.75, inf]" --set "bodies.drop.shape.box.high=[0.9, 0.2]" --set bodies.drop.material=lava
