"$MOTE" check
