"$MOTE" help valdate
