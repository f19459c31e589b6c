"$MOTE" help > /dev/full
