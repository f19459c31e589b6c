. "$(dirname "$0")/../things.sh"
"$MOTE" render tetra.obj --frames 5:9 -o a.png
