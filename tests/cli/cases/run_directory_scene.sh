mkdir d; "$MOTE" run d
