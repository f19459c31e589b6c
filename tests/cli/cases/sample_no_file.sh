"$MOTE" sample nothing.csv
