"$MOTE" validate --quick=1
