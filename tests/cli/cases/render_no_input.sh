"$MOTE" render
