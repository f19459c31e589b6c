. "$(dirname "$0")/../things.sh"
"$MOTE" render tetra.obj --preview --size 64x36 -o a.png --json
