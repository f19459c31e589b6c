"$MOTE" help run
