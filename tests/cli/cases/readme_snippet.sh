# What README.md tells to put under colliders: goes there.
line=$(awk '/^```yaml/ {on = 1; next} /^```/ {on = 0} on' "$(dirname "$0")/../../../README.md")
"$MOTE" examples dam_break | awk -v line="$line" '{print} /^colliders:/ {print line}' > mine.yaml
"$MOTE" check mine.yaml
