"$MOTE" convert a
