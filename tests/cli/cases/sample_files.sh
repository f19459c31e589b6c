awk 'BEGIN { print "x,y,z,mass,temperature"; for (i = 0; i < 1000; ++i) {
  x = (i % 10 + 0.5) / 10; y = (int(i / 10) % 10 + 0.5) / 10; z = (int(i / 100) + 0.5) / 10
  print x "," y "," z ",1," x + 2 * y - z } }' > block.csv

"$MOTE" sample block.csv --field temperature -o t.vti
"$MOTE" sample block.csv --field temperature --slice x=0.3 -o t.png
"$MOTE" sample block.csv --field temperature --line 0,0,0:1,1,1:50 -o t.svg
"$MOTE" sample block.csv --points block.csv --field density -o t.vtp
"$MOTE" sample block.csv block.csv --at 0.5,0.5,0.5 -o many
grep -c 'ImageData' t.vti > /dev/null && head -c 4 t.png | grep -q PNG && grep -q '<svg' t.svg && test -s many/block.csv
