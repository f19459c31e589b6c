"$MOTE" bnech
