. "$(dirname "$0")/../block.sh"
block 0 > a.csv
"$MOTE" mesh a.csv -o a.fbx
