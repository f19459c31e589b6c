"$MOTE" $'de\nmo'
