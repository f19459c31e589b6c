"$MOTE" sample --help
