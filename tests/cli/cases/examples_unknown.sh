"$MOTE" examples still_pol
