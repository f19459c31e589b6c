mkdir a b
"$MOTE" diff a b
