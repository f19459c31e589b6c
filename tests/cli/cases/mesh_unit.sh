"$MOTE" mesh a.csv -o a.obj --cell "2 ounces"
