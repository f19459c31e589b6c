touch taken; "$MOTE" validate kernels --quick -o taken
