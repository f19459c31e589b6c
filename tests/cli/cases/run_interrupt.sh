. "$(dirname "$0")/../small.sh"
set -m  # or background jobs would ignore SIGINT
for signal in INT TERM HUP; do
  "$MOTE" run small.yaml -o $signal --quiet --set duration=1000 2> err & wait_for $signal/particles.0003.vtp
  kill -$signal $!; wait $!; echo $?; cat err
done
"$MOTE" run small.yaml -o INT --resume --quiet --frames 80 --set outputs.preview=false > stopped.out
"$MOTE" run small.yaml -o straight --quiet --frames 80 --set outputs.preview=false > straight.out
[ -n "$(hash_of straight.out)" ] && [ "$(hash_of stopped.out)" = "$(hash_of straight.out)" ] && cmp INT/totals.csv straight/totals.csv || exit 1
# What nohup lets it ignore, it ignores.
(trap "" HUP; exec "$MOTE" run small.yaml --quiet --set duration=3 > out) & wait_for small/snapshot.mote; kill -HUP $!; wait $!
