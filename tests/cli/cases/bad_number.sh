"$MOTE" validate --threads 0
