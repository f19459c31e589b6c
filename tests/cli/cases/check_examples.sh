for name in $("$MOTE" examples | cut -d" " -f1); do "$MOTE" check --json $name || exit 1; done
