"$MOTE" help scene body.fill
