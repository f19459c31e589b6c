. "$(dirname "$0")/../things.sh"
"$MOTE" render tetra.obj --preview --cut "x>0.5" -o a.png
status=$?
"$MOTE" render drops.csv --section z=1 --cut "x>0.5" -o a.png
"$MOTE" render drops.csv --as surface --colour-by heat --preview -o a.png
[ ! -e a.png ] && exit $status
