"$MOTE" info
