. "$(dirname "$0")/../things.sh"
"$MOTE" convert tetra.obj a.stl && "$MOTE" convert a.stl b.ply && "$MOTE" info b.ply | head -1
