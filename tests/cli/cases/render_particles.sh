. "$(dirname "$0")/../things.sh"
"$MOTE" render drops.csv --colour-by heat --range 0:6 --size 48x48 --samples 4 --with tetra.obj && size_of drops.png
