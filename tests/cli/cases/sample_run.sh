"$MOTE" run dam_break_2d -o one --set spacing=8cm --set duration=0.1 --threads 1 > /dev/null 2>&1 &&
  "$MOTE" sample one --at 0.1,0.1 --field pressure | head -1
