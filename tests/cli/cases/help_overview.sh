"$MOTE" help
