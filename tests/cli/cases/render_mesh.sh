. "$(dirname "$0")/../things.sh"
"$MOTE" render tetra.obj --look gold --wireframe --size 64x36 --samples 4 -o a.png && size_of a.png
