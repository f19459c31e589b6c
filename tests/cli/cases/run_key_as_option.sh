"$MOTE" run dam_break --spacing=2cm
status=$?
"$MOTE" check dam_break --duration 2
"$MOTE" check dam_break --bodys 2
exit $status
