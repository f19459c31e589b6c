"$MOTE" demo --format png
