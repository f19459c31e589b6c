# A resumed run replaces what was left half written; a file of a frame that it never had stays.
. "$(dirname "$0")/../box.sh"
"$MOTE" run box.yaml -o whole --quiet > /dev/null
"$MOTE" run box.yaml -o parts --frames 2 --quiet > /dev/null
rm parts/surface.pvd; touch parts/surface.0009.vtp parts/surface.0003.vtp.part
"$MOTE" run parts --resume --frames 3 --quiet > /dev/null
for f in whole/surface.*; do cmp "$f" "parts/${f#whole/}" || exit 1; done
ls parts | grep -c surface
