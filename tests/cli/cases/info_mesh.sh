. "$(dirname "$0")/../things.sh"
"$MOTE" info tetra.obj
