printf "x,y,z,heat\n0,0,0,1\n1,0,0,2\n0,1,0,4\n" > few.csv
mkdir in out
for k in 0002 0010 0100; do cp few.csv in/f.$k.csv; done
cp few.csv in/f.2.csv
"$MOTE" convert 'in/f.%04d.csv' 'out/g.%04d.ply'
