. "$(dirname "$0")/../things.sh"
PATH=/nowhere "$MOTE" render tetra.obj --turntable 2 --preview --size 64x36 -o a.mp4
