"$MOTE" run a b
