. "$(dirname "$0")/../small.sh"
mkdir small && touch small/scene.yaml.part &&
  "$MOTE" run small.yaml --quiet --frames 1 > /dev/null && ls small | head -1
