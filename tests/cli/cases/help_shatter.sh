"$MOTE" help shatter
