. "$(dirname "$0")/../things.sh"
"$MOTE" render drops.csv --colour-by heta --preview -o a.png
