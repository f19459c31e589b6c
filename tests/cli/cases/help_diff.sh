"$MOTE" diff --help
