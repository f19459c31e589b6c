"$MOTE" info nothing.vtp
