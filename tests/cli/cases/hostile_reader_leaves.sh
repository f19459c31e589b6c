# A reader of the results that goes away stops the run as Ctrl-C does: saved, and it can go on.
. "$(dirname "$0")/../small.sh"
mkfifo pipe
(read -r line; echo "$line" > first) < pipe &
"$MOTE" run small.yaml -o cut --json --set fps=200 > pipe
echo "exit $?"
[ -s first ] && "$MOTE" run cut --resume --quiet > cut.txt && [ -n "$(hash_of cut.txt)" ]
