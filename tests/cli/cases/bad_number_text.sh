"$MOTE" bench --threads=two
