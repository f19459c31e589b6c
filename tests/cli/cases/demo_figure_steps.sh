# A figure of several runs: their pictures are panels of its sheet.
"$MOTE" demo --figures wic06-4 --quick --threads 1 -o d > /dev/null && ls d d/wic06-4 && "$MOTE" info d/wic06-4/a > /dev/null
