awk 'BEGIN { print "x,y,z,mass,temperature"; for (i = 0; i < 1000; ++i) {
  x = (i % 10 + 0.5) / 10; y = (int(i / 10) % 10 + 0.5) / 10; z = (int(i / 100) + 0.5) / 10
  print x "," y "," z ",1," x + 2 * y - z } }' > block.csv

"$MOTE" sample block.csv --at 0.43,0.52,0.61 --field temperature --method mls |
  awk -F, 'NR == 2 { good = ($4 - 0.86)^2 < 1e-24 } END { exit !good }'
