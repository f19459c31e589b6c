. "$(dirname "$0")/../block.sh"
block 0 > a.csv
"$MOTE" mesh a.csv -o a.glb --colour-by heat --fields none --quiet > /dev/null && "$MOTE" info a.glb --json | grep -o '"fields":.*'
"$MOTE" mesh a.csv -o b.glb --colour-by heat --colour-map heat --quiet > /dev/null; echo $?
