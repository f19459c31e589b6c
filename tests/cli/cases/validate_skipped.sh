# A case that measures nothing is no success.
"$MOTE" validate elastic-jelly-water-8 --quick > rows
