echo hello > a.doc
"$MOTE" info a.doc
