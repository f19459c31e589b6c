"$MOTE" validate aprox
