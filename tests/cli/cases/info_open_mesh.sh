. "$(dirname "$0")/../things.sh"
sed -i '$d' tetra.obj
"$MOTE" info tetra.obj
