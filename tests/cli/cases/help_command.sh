"$MOTE" help validate && "$MOTE" validate --help
