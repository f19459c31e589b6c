"$MOTE" help deform
"$MOTE" help scene handle
