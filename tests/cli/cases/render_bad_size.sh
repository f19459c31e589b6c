. "$(dirname "$0")/../things.sh"
"$MOTE" render tetra.obj --size 640 -o a.png
