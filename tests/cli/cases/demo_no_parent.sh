"$MOTE" demo -o a/b/c
