. "$(dirname "$0")/../small.sh"
# Root may write anywhere but into a file system that is read-only.
mkdir there; chmod a-w there
if [ "$(id -u)" = 0 ]; then
  setpriv --reuid=65534 --clear-groups true 2> /dev/null || { echo "mote: there: not writable: skipped" >&2; exit 1; }
  chmod a+rx . "$PWD"; setpriv --reuid=65534 --clear-groups "$MOTE" run small.yaml -o there
else
  "$MOTE" run small.yaml -o there
fi
