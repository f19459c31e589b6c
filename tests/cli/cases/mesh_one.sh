. "$(dirname "$0")/../block.sh"
block 0 > a.csv
"$MOTE" mesh a.csv -o a.obj && "$MOTE" info a.obj | grep -c closed
