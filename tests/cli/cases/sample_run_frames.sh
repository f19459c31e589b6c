# A run's directory stands for its latest snapshot; its frames are sampled as files.
. "$(dirname "$0")/../small.sh"
"$MOTE" run small.yaml --quiet > run.log
"$MOTE" sample small --at 0.3,0.2 --field density > run.csv
"$MOTE" sample small/snapshot.mote --at 0.3,0.2 --field density > snapshot.csv
cmp run.csv snapshot.csv && echo the latest
"$MOTE" sample small/particles.*.vtp --at 0.3,0.2 --field density -o frames && ls frames
"$MOTE" help sample | grep -c "its latest snapshot"
