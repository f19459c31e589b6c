"$MOTE" demo --format=gif
