"$MOTE" demo --list
