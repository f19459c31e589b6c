"$MOTE" help materials
