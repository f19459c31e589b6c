"$MOTE" examples
