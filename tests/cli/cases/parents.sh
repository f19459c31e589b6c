# Directories above the output are made; a file among them is an error.
. "$(dirname "$0")/../small.sh"
printf "x,y,z,heat\n0,0,0,1\n1,0,0,2\n0,1,0,4\n" > few.csv
"$MOTE" convert few.csv no/such/a.vtp
"$MOTE" sample few.csv --at 0,0 -o other/folder/a.csv && ls other/folder
"$MOTE" run small.yaml --frames 1 --quiet -o r/pot > /dev/null && ls r/pot/run.json
"$MOTE" run small.yaml --frames 1 -o few.csv/pot; echo "status $?"
"$MOTE" convert few.csv few.csv/x/a.vtp; echo "status $?"
