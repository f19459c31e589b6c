"$MOTE" validate --threads
