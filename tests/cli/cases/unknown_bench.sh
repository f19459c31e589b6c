"$MOTE" bench serch
