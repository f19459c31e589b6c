for name in $("$MOTE" examples | cut -d" " -f1); do "$MOTE" check --json --threads 1 $name || exit 1; done
