"$MOTE" validate --threads " 2"
