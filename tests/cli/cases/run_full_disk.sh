. "$(dirname "$0")/../small.sh"
# A disk that is full when the third frame comes: the limit is on each file, so the frames grow.
cat >> small.yaml <<'MORE'
emitters:
  tap: {centre: [1.5, 1.5, 0], radius: 0.3, speed: 8}
MORE
(ulimit -f 32; "$MOTE" run small.yaml --quiet --set duration=1 --set outputs.preview=false --set "outputs.formats=[csv]" 2> err); echo $?
cat err; "$MOTE" run small --resume --quiet && ls small | grep -c part$
