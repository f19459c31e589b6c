# A case that measures nothing is no success.
"$MOTE" validate solid-jelly-water-8 --quick > rows
