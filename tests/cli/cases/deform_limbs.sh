# Parts that do not touch are tied and named; handles that cannot be met are an error, or written by force.
cube() { awk -v x="$1" -v k="$2" 'BEGIN { for (i = 0; i < 8; ++i) printf "v %g %g %g\n", x + i % 2, int(i / 2) % 2, int(i / 4)
  split("1 3 4 2 5 6 8 7 1 2 6 5 3 7 8 4 1 5 7 3 2 4 8 6", f, " "); for (i = 0; i < 6; ++i) { printf "f"; for (j = 1; j <= 4; ++j) printf " %d", k + f[4 * i + j]; print "" } }'; }
(echo 'o left'; cube 0 0; echo 'o right'; cube 1.05 8) > apart.obj
cat > edits.yaml <<END
nodes: 40
handles:
  a: {vertices: [1, 3, 5, 7], fix: true}
  b: {vertices: [10, 12, 14, 16], rotate: {axis: [1, 0, 0], angle: 40 deg}}
END
try() { timeout 60 "$MOTE" deform "$@" 2>&1 >/dev/null; echo "status $?"; }
try apart.obj edits.yaml -o tied.obj
try apart.obj edits.yaml -o loose.obj --set ties=false
cube 0 0 > one.obj
printf 'nodes: 40\nhandles:\n  a: {vertices: [1, 3, 5, 7], fix: true}\n  b: {vertices: [2, 4, 6, 8], move: [-1.5, 0, 0]}\n' > through.yaml
try one.obj through.yaml -o through.obj --set solve.iterations=30 | sed 's/after [0-9]* iterations/after N iterations/; s/missed by [0-9.e-]*/missed by X/'
[ -e through.obj ] || echo "nothing is written"
try one.obj through.yaml -o through.obj --force --set solve.iterations=30 | tail -1
[ -e through.obj ] && echo "written"
