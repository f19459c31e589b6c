. "$(dirname "$0")/../small.sh"
"$MOTE" run small.yaml -o whole --quiet --set duration=0.4 > whole.out && "$MOTE" run small.yaml -o parts --quiet > /dev/null &&
  "$MOTE" run small.yaml -o parts --resume --quiet --set duration=0.4 > parts.out &&
  [ -n "$(hash_of whole.out)" ] && [ "$(hash_of whole.out)" = "$(hash_of parts.out)" ] || exit 1
for file in whole/*.csv whole/*.vtp whole/*.pvd whole/preview* whole/snapshot.mote; do cmp $file parts/$(basename $file) || exit 1; done
