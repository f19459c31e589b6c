. "$(dirname "$0")/../things.sh"
"$MOTE" render --quiet tetra.obj --turntable 3 --preview --size 64x36 --sheet 2 -o turn.gif && head -c 6 turn.gif && echo
