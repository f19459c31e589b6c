"$MOTE" info --help
