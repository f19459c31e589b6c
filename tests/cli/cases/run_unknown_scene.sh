"$MOTE" run dam_brake
