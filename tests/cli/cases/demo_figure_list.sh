# The steps of a figure, without making it; and every figure has one line.
"$MOTE" demo --figures --list yu11-4.2 && ls && "$MOTE" demo --figures --list | grep -c '^[a-z0-9.-]*  *[a-z0-9]'
