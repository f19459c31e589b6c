awk 'BEGIN { print "x,y,z,mass,temperature"; for (i = 0; i < 1000; ++i) {
  x = (i % 10 + 0.5) / 10; y = (int(i / 10) % 10 + 0.5) / 10; z = (int(i / 100) + 0.5) / 10
  print x "," y "," z ",1," x + 2 * y - z } }' > block.csv

"$MOTE" sample block.csv --grid 0,0,0:1,1,1:0.07 -o one.csv --threads 1
"$MOTE" sample block.csv --grid 0,0,0:1,1,1:0.07 -o seven.csv --threads 7
cmp one.csv seven.csv
