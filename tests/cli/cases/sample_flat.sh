awk 'BEGIN { print "x,y,z,pressure"; for (i = 0; i < 400; ++i) {
  x = (i % 20 + 0.5) / 20; y = (int(i / 20) + 0.5) / 20; print x "," y ",0," 1 - y } }' > flat.csv

"$MOTE" sample flat.csv --line 0.5,0.1:0.5,0.9:9 --field density,pressure --threads 2 > table
awk -F, 'NR > 1 && (($4 - 1)^2 > 1e-3 || ($5 - 1 + $2)^2 > 1e-4) { exit 1 } END { print NR }' table
