. "$(dirname "$0")/../things.sh"
"$MOTE" info tetra.obj
"$MOTE" convert tetra.obj tetra.stl > /dev/null && "$MOTE" info tetra.stl
