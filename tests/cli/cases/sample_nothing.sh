"$MOTE" sample
