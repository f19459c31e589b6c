. "$(dirname "$0")/../small.sh"
# What a killed run leaves unfinished goes.
"$MOTE" run small.yaml --quiet --frames 3 > a; touch small/particles.0009.vtp small/snapshot.mote.part; "$MOTE" run small.yaml --resume --frames 4 --quiet && ls small | grep -e 0009 -e part$ ; exit 0
