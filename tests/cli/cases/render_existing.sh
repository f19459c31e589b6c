. "$(dirname "$0")/../things.sh"
echo mine > a.png
"$MOTE" render tetra.obj --preview -o a.png
status=$?
[ "$(cat a.png)" = mine ] && exit $status
