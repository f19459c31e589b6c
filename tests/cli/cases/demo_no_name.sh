"$MOTE" demo -o ""
