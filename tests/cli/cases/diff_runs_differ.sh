"$MOTE" run dam_break_2d -o one --set spacing=8cm --set duration=0.1 --threads 1 > /dev/null 2>&1 &&
  "$MOTE" run dam_break_2d -o two --set spacing=8cm --set duration=0.14 > /dev/null 2>&1 &&
  "$MOTE" diff one two
