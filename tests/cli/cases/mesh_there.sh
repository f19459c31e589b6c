. "$(dirname "$0")/../block.sh"
block 0 > a.csv; touch a.obj
"$MOTE" mesh a.csv -o a.obj
