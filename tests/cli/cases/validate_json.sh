# One object a line, whole and closed.
"$MOTE" validate kernels --quick --json > rows && ! grep -v '^{"case":".*"pass":true}$' rows
