. "$(dirname "$0")/../small.sh"
# A file system that is really full, where one may be mounted; room comes, and the run goes on.
mkdir full
unshare -m mount -t tmpfs none full 2> /dev/null || exit 0
export -f hash_of
unshare -m bash -c 'mount -t tmpfs -o size=120k none full && {
  "$MOTE" run small.yaml -o full/run --quiet --set duration=1 --set outputs.preview=false 2> err; [ $? = 1 ] &&
  grep -q "No space left on device" err && grep -q "continues from frame 1" err && mount -o remount,size=10M full &&
  "$MOTE" run full/run --resume --quiet > a && "$MOTE" run small.yaml -o straight --quiet --set duration=1 > b &&
  [ "$(hash_of a)" = "$(hash_of b)" ] || { cat err; ls -la full/run; false; }; }'
