"$MOTE" help scene viscosity
