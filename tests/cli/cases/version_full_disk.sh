"$MOTE" --version > /dev/full
