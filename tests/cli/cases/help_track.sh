"$MOTE" help track
