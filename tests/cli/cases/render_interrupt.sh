. "$(dirname "$0")/../things.sh"
wait_for() { for _ in $(seq 600); do [ -e "$1" ] && return; sleep 0.05; done; echo "no $1" >&2; exit 9; }
set -m  # or background jobs would ignore SIGINT
"$MOTE" render tetra.obj -o a.png --size 1920x1080 --samples 500 --threads 1 --quiet 2> err & sleep 1
kill -INT $!; wait $!; echo $?; cat err; ls | grep -c '^a'
"$MOTE" render tetra.obj --turntable 999 --preview --size 320x180 -o pics --threads 1 --quiet > told 2> err & wait_for pics/render.0003.png
kill -TERM $!; wait $!; echo $?; cat err; cat told; ls pics | grep -c part; true
