"$MOTE" demo --figures yu11-42
