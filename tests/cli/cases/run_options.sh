. "$(dirname "$0")/../small.sh"
"$MOTE" run small.yaml -o there --frames=3 --threads 1 --set duration=9 --set "outputs.formats=[ply, csv]" \
  --set outputs.preview=false --set=outputs.every=2 --autosave 0 --quiet && ls there
