"$MOTE" help scene
