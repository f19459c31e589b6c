# /proc takes no files, not even from root.
"$MOTE" validate mls-convergence --quick -o /proc > rows
