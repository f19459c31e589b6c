echo "not a ply" > bad.ply
"$MOTE" render bad.ply -o a.png
