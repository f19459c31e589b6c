touch taken; "$MOTE" demo -o taken
