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
# Distances that are followed between frames: other surfaces of the same motion, the same after a resume.
"$MOTE" run box.yaml "$@" --set outputs.surface.follow=200 -o follow --frames 3 --quiet > /dev/null
"$MOTE" run box.yaml "$@" --set outputs.surface.follow=200 -o again --frames 2 --quiet > /dev/null
"$MOTE" run again --resume --frames 3 --quiet > /dev/null
cmp follow/particles.0003.vtp whole/particles.0003.vtp || exit 1
cmp -s follow/surface.0003.ply whole/surface.0003.ply || echo followed
for f in follow/surface.*; do cmp "$f" "again/${f#follow/}" || exit 1; done
"$MOTE" mesh whole/particles.0004.vtp --follow 200 -o mesh/no.ply 2> /dev/null || echo of runs only
# Outputs may change: a surface that was not there begins anew, one that is no longer asked for is forgotten.
"$MOTE" run box.yaml --set spacing=0.05 --set outputs.surface=false -o late --frames 2 --quiet > /dev/null
frames=2
for change in method=adams clean=true method=blobs method=adams; do
  frames=$((frames + 1))
  "$MOTE" run box.yaml --set spacing=0.05 --set outputs.surface.$change -o late --resume --frames $frames --quiet > /dev/null || exit 1
done
ls late | grep surface
