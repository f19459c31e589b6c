. "$(dirname "$0")/../block.sh"
block 0 > a.csv
"$MOTE" mesh a.csv -o a.stl --json --method density --cell '2 cm' --spacing '10 cm'
