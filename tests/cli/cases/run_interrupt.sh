. "$(dirname "$0")/../small.sh"
"$MOTE" run small.yaml -o whole --quiet > whole.out || exit 1
for signal in INT TERM HUP; do
  # A background job of a script ignores SIGINT unless it is reset.
  (trap - INT; exec "$MOTE" run small.yaml -o $signal --quiet --set duration=1000) 2> err & sleep 0.5
  kill -$signal $!; wait $!; echo $?; cat err
  "$MOTE" run small.yaml -o $signal --resume --quiet > out
  grep -o 'frames are there already' out
done; exit 0
