# Previews are cut, sections are not.
. "$(dirname "$0")/../things.sh"
draw() { "$MOTE" render $1 --preview --size 64x48 --quiet -o $2 "${@:3}" > draw.log || cat draw.log; }
same() { cmp -s $1 $2 && echo same || echo other; }
draw tetra.obj whole.png; draw tetra.obj cut.png --cut "x>0.5"; draw tetra.obj far.png --cut "x>50"
echo "a mesh: $(same whole.png cut.png) $(same whole.png far.png)"
"$MOTE" render drops.csv --section z=1 --cut "x>0.5" -o a.png
status=$?
[ ! -e a.png ] && exit $status
