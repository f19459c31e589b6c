"$MOTE" --version
