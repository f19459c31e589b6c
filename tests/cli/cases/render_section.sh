. "$(dirname "$0")/../things.sh"
"$MOTE" render drops.csv --section z=1 --colour-by heat --size 64x64 -o a.png && size_of a.png
