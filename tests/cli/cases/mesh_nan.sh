. "$(dirname "$0")/../block.sh"
(block 0; echo 'nan,0,0,1') > a.csv
"$MOTE" mesh a.csv -o a.obj --quiet | head -1
