"$MOTE" demo --help >&-
