. "$(dirname "$0")/../block.sh"
block 0 > a.csv; block 0 > b.csv
"$MOTE" mesh a.csv b.csv -o c.obj
