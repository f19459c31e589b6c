. "$(dirname "$0")/../things.sh"
"$MOTE" render tetra.obj -o a.jpg
