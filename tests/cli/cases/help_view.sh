"$MOTE" view --help
