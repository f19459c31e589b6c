"$MOTE" convert --help
