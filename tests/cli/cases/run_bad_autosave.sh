"$MOTE" run x --autosave -1
