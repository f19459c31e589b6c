awk 'BEGIN { print "x,y,z,mass,temperature"; for (i = 0; i < 1000; ++i) {
  x = (i % 10 + 0.5) / 10; y = (int(i / 10) % 10 + 0.5) / 10; z = (int(i / 100) + 0.5) / 10
  print x "," y "," z ",1," x + 2 * y - z } }' > block.csv

"$MOTE" sample block.csv --at 0.5,0.5,0.5 --field density > table
head -1 table
awk -F, 'NR == 2 { good = $4 > 990 && $4 < 1010 } END { exit !good }' table
