"$MOTE" demo now
