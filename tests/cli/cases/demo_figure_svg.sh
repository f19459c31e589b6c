"$MOTE" demo --figures eg09-1 eg09-13 --format svg
