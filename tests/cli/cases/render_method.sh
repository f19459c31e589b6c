. "$(dirname "$0")/../things.sh"
"$MOTE" render tetra.obj --method densty -o a.png
