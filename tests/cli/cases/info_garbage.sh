echo hello > a.png
"$MOTE" info a.png
