"$MOTE" help mesh
