"$MOTE" render nowhere.ply -o a.png
