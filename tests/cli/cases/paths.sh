# The scenes of the three short paths of the docs are valid, and their commands and options exist.
docs=$(cd "$(dirname "$0")/../../../docs" && pwd)
for page in artist researcher game_developer; do
  awk '/^```yaml/ {on = 1; next} /^```/ {on = 0} on' "$docs/path_$page.md" > scene.yaml
  "$MOTE" check scene.yaml | head -1
  awk '/^```sh/ {on = 1; next} /^```/ {on = 0} on && /^mote / {sub(/ #.*/, ""); print}' "$docs/path_$page.md" |
    while read -r _ command rest; do
      for word in $(grep -oE -- '--[a-z-]+' <<< "$rest"); do
        "$MOTE" help "$command" | grep -q -- "$word" || echo "$page: mote $command has no option $word"
      done
    done
done
