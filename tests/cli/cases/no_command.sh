"$MOTE"
