"$MOTE" mesh -o a.obj
