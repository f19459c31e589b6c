# Standard streams that are closed do not become files of the run: no table ends in our talk.
. "$(dirname "$0")/../small.sh"
"$MOTE" run small.yaml -o open > line 2> talk
"$MOTE" run small.yaml -o closed <&- >&- 2>&-
echo "exit $?"
for file in totals.csv probe_corner.csv particles.pvd; do cmp open/$file closed/$file || exit 1; done
[ ! -s closed/.lock ]
