"$MOTE" render nowhere.%04d.ply -o a.png
