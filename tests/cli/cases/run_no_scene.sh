"$MOTE" run
