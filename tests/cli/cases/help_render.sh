"$MOTE" render --help
