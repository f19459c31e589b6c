head -c 5000 /dev/zero > a.mote
"$MOTE" diff a.mote a.mote
