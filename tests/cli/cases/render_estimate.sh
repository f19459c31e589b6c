# What takes more than a minute says so when its first picture is drawn; a short video does not.
. "$(dirname "$0")/../things.sh"
set -m
"$MOTE" render tetra.obj --turntable 99999 --preview --size 320x180 -o pics --threads 1 > told &
for _ in $(seq 600); do grep -q 'picture 1 of' told && break; sleep 0.05; done
kill -TERM $!; wait $! 2> /dev/null; head -1 told
"$MOTE" render tetra.obj --turntable 3 --preview --size 64x36 -o few --threads 1 > few.log; grep -c 'will take' few.log; grep -c 'left$' few.log; grep '^picture 3' few.log
