"$MOTE" validate --quik
