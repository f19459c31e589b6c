"$MOTE" run dam_break_2d -o one --set spacing=8cm --set duration=0.1 --threads 1 > /dev/null 2>&1 &&
  "$MOTE" convert one water.vtp > /dev/null && "$MOTE" diff one/snapshot.mote water.vtp &&
  "$MOTE" info water.vtp | grep -c 't = 0.1 s'
