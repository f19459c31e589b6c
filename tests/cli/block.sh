# What the cases about surfaces share: a block of 6 x 6 x 6 particles as block.NAME.csv, of any number of frames.
block() {
  awk -v t="$1" 'BEGIN { print "# mote 0.1.0"; print "# time " t; print "x,y,z,heat"
    for (i = 0; i < 6; ++i) for (j = 0; j < 6; ++j) for (k = 0; k < 6; ++k)
      print t + 0.05 + 0.1 * i "," 0.05 + 0.1 * j "," 0.05 + 0.1 * k "," i }'
}
