. "$(dirname "$0")/../things.sh"
"$MOTE" render tetra.obj --as spheres -o a.png
