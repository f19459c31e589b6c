"$MOTE" render two_fluids --preview
