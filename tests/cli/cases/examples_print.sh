"$MOTE" examples dam_break > a && cmp a "$(dirname "$0")/../../../scenes/dam_break.yaml"
