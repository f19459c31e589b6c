. "$(dirname "$0")/../things.sh"
"$MOTE" render tetra.obj --look watr -o a.png
