printf "x,y,z,heat\n0,0,0,1\n1,0,0,2\n0,1,0,4\n" > few.csv
"$MOTE" sample few.csv -o a.mp3
