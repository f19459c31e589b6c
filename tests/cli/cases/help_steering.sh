"$MOTE" help steering
