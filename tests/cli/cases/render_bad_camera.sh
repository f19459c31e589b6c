. "$(dirname "$0")/../things.sh"
"$MOTE" render tetra.obj --camera above -o a.png
