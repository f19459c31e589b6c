# Meshes that are not clean: what a scene makes of them is said by info, check and shatter.
box() { # FIRST X0 Y0 Z0 X1 Y1 Z1: a box whose vertices count from FIRST
  for z in "$4" "$7"; do for y in "$3" "$6"; do for x in "$2" "$5"; do echo "v $x $y $z"; done; done; done
  for f in "0 2 3 1" "4 5 7 6" "0 1 5 4" "2 6 7 3" "0 4 6 2" "1 3 7 5"; do
    printf f; for k in $f; do printf ' %d' $((k + $1)); done; echo
  done
}
info() { "$MOTE" info "$1" 2>&1 | grep "in a scene"; }
{ box 1 0 0 0 1 1 1; box 9 0.5 0.4 0.3 2 2 2; } > crossing.obj
info crossing.obj
{ box 1 0 0 0 1 1 1; box 9 0.2 0.2 1 0.8 0.8 2; } > standing.obj
info standing.obj
# A corner of a box that its sides do not share, and one side less.
{ box 1 0 0 0 1 1 1 | sed 's/^f 5 6 8 7$/f 9 6 8 7/'; echo v 0 0 1.0000000001; } > seam.obj
info seam.obj
box 1 0 0 0 1 1 1 | sed 's/^f 5 6 8 7$/f 5 6 8/' > hole.obj
info hole.obj
box 1 0 0 0 1 1 1 | sed '/^f 5 6 8 7$/d' > lid.obj
info lid.obj
"$MOTE" info --json crossing.obj | grep -o '"usable":.*united"'
printf 'domain: {low: [-1, -1, -1], high: [3, 3, 3]}\nspacing: 0.1\nbodies: {b: {shape: {mesh: {file: crossing.obj}}}}\n' > s.yaml
"$MOTE" check s.yaml 2>&1 | grep -E "cross|particles"
printf 'domain: {low: [-1, -1, -1], high: [3, 3, 3]}\nspacing: 0.1\nbodies: {b: {shape: {mesh: {file: lid.obj}}}}\n' > s.yaml
"$MOTE" check s.yaml 2>&1
"$MOTE" shatter crossing.obj -o pieces.ply --pieces 3 --edge 0.1 2>&1 | sed "s/ pieces:.*/ pieces/"
