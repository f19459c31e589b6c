. "$(dirname "$0")/../block.sh"
block 0 > a.csv
"$MOTE" mesh a.csv -o a.vtp --periodic x=0:0.6 --periodic 'y=0:60 cm' --clip -inf,-inf,0:inf,inf,0.3 --json | grep -o '"closed":true'
