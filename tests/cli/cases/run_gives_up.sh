. "$(dirname "$0")/../small.sh"
# Too fast for the watchdog: three tries, then a snapshot and words.
"$MOTE" run small.yaml --set speed_limit=0.2 --quiet; s=$?
"$MOTE" info small/snapshot.mote | head -1; exit $s
