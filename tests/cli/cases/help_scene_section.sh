"$MOTE" help scene domain
