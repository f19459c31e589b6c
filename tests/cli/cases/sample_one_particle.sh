printf "x,y,z\n1,2,3\n" > one.csv
"$MOTE" sample one.csv
