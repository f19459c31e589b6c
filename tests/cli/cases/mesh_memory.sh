# Out of memory is a failure (1), not a mistake of the user's (2), wherever it happens.
printf 'x,y,z\n0,0,0\n0.1,0,0\n0,0.1,0\n0,0,0.1\n0.1,0.1,0.1\n' > five.csv
for kB in 15000 16000 17000 18000 20000 25000; do
  (ulimit -v $kB; "$MOTE" mesh five.csv -o five.obj --overwrite --quiet --spacing 0.1m --cell 0.06 --most-nodes 1000 > /dev/null 2> out.txt
   [ $? = 2 ] && cat out.txt)
done
true
