. "$(dirname "$0")/../small.sh"
for n in 1 2 7; do "$MOTE" run small.yaml -o $n --quiet --threads $n > $n.out || exit 1; done
[ -n "$(hash_of 1.out)" ] && [ "$(hash_of 1.out)" = "$(hash_of 2.out)" ] && [ "$(hash_of 1.out)" = "$(hash_of 7.out)" ] &&
  cmp 1/particles.0005.vtp 7/particles.0005.vtp && cmp 1/totals.csv 2/totals.csv && cmp 1/snapshot.mote 2/snapshot.mote
