. "$(dirname "$0")/../things.sh"
"$MOTE" convert tetra.obj a.csv
