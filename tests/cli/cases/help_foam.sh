"$MOTE" help foam
