. "$(dirname "$0")/../block.sh"
for k in 1 2 3 4 5 6 7 8 9; do block $k > b.$k.csv; done
wait_for() { for _ in $(seq 600); do [ -e "$1" ] && return; sleep 0.05; done; echo "no $1" >&2; exit 9; }
set -m  # or background jobs would ignore SIGINT
"$MOTE" mesh 'b.*.csv' -o out --format ply --cell 0.07 --threads 1 > told 2> err & wait_for out/b.1.ply
kill -INT $!; wait $!; echo $?
grep stopped err
# What is there is whole.
ls out | grep -c part; "$MOTE" info out/*.ply > about && grep -c '^  closed\|^  open' about > /dev/null; echo $?
