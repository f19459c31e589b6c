"$MOTE" help demo bench
