"$MOTE" run x --resume --overwrite
