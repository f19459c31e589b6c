"$MOTE" mesh a.csv -o a.obj --smoothing 2
