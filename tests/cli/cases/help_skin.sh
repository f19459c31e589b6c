"$MOTE" help skin
