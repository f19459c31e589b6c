printf "x,y,z,mass\n0,0,0,1\n1,0,0,-1\n0,1,0,1\n" > bad.csv
"$MOTE" sample bad.csv
