# Out of memory is a failure (1), not a mistake of the user's (2), wherever it happens: from too little to start with (127) to enough.
printf 'x,y,z\n0,0,0\n0.1,0,0\n0,0.1,0\n0,0,0.1\n0.1,0.1,0.1\n' > five.csv
for kB in $(seq 12000 500 80000); do
  (ulimit -v $kB; "$MOTE" mesh five.csv -o five.obj --overwrite --quiet --spacing 0.1m --cell 0.06 --most-nodes 1000 > /dev/null 2> out.txt)
  status=$?
  [ $status = 2 ] && cat out.txt
  [ $status = 1 ] && grep -o '^mote: out of memory' out.txt >> refused.txt
  [ $status = 0 ] && break
done
sort -u refused.txt; echo "status $status"
