# What Adams' method remembers is state: a run that was stopped and resumed writes the same surfaces, and mote mesh
# makes the same of its particles.
. "$(dirname "$0")/../box.sh"
set -- --set outputs.surface.method=adams --set outputs.surface.formats='[obj, ply]' --set spacing=0.05 --set duration=0.2
sed -i 's/, colour_by: pressure//' box.yaml
"$MOTE" run box.yaml "$@" -o whole --quiet > /dev/null
"$MOTE" run box.yaml "$@" -o parts --frames 2 --quiet > /dev/null
"$MOTE" run parts --resume --frames 4 --quiet --threads 3 > /dev/null
"$MOTE" run parts --resume --quiet > /dev/null
for f in whole/surface.*; do cmp "$f" "parts/${f#whole/}" || exit 1; done
mkdir mesh
"$MOTE" mesh whole --method adams --fields velocity -o 'mesh/surface.%04d.ply' --quiet > /dev/null
for f in mesh/surface.*; do cmp "$f" "whole/${f#mesh/}" || exit 1; done
ls parts mesh | grep -c surface
# Outputs may change: a surface that was not there begins anew, one that is no longer asked for is forgotten.
"$MOTE" run box.yaml --set spacing=0.05 --set outputs.surface=false -o late --frames 2 --quiet > /dev/null
frames=2
for change in method=adams clean=true method=blobs method=adams; do
  frames=$((frames + 1))
  "$MOTE" run box.yaml --set spacing=0.05 --set outputs.surface.$change -o late --resume --frames $frames --quiet > /dev/null || exit 1
done
ls late | grep surface
