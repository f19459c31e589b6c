"$MOTE" check dam_break --set spacing=0.002
