"$MOTE" diff a
