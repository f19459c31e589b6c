"$MOTE" mesh a.csv -o a.obj --method anisotropc
