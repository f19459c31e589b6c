"$MOTE" help scene viscocity
