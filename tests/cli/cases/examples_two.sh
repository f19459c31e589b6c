"$MOTE" examples a b
