# Meshes that are no simple closed surface: a result, or a clear error.
cube() { awk -v x="$1" -v k="$2" 'BEGIN { for (i = 0; i < 8; ++i) printf "v %g %g %g\n", x + i % 2, int(i / 2) % 2, int(i / 4)
  split("1 3 4 2 5 6 8 7 1 2 6 5 3 7 8 4 1 5 7 3 2 4 8 6", f, " "); for (i = 0; i < 6; ++i) { printf "f"; for (j = 1; j <= 4; ++j) printf " %d", k + f[4 * i + j]; print "" } }'; }
grep -v 'f 5 6 8 7' <<END > open.obj
$(cube 0 0)
END
(cube 0 0; echo 'v 0.5 -1 0.5'; echo 'f 1 2 9') > fin.obj                       # three triangles at an edge
(cube 0 0; cube 3 8) > parts.obj
(cube 0 0; cube 1 8) > touching.obj                                             # face to face, with vertices of their own
(cube 0 0; cube 0.5 8) > overlapping.obj
cube 0 0 | awk '/^v/ { print $1, $2 * 1e-9, $3 * 1e-9, $4 * 1e-9; next } { print }' > tiny.obj
cube 0 0 | awk '/^v/ { print $1, $2 + 1e5, $3, $4; next } { print }' > far.obj
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1e-9\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n' > thin.obj
cat > edits.yaml <<END
nodes: 40
handles:
  a: {vertices: [1, 3, 5, 7], fix: true}
  b: {vertices: [2, 4, 6, 8], rotate: {axis: [1, 0, 0], angle: 40 deg}}
END
try() { timeout 60 "$MOTE" deform "$@" -o x.obj --overwrite --json 2>&1 | sed 's/.*"arrived":\([a-z]*\),"converged":\([a-z]*\).*/arrived \1 converged \2/'; }
for mesh in open fin parts touching overlapping tiny far thin; do echo "$mesh: $(try $mesh.obj edits.yaml)"; done
echo "shell: $(try open.obj edits.yaml --set thickness=0.2)"
# Faces that touch move together: the distance between the double vertices of the cubes.
"$MOTE" deform touching.obj edits.yaml -o x.obj --overwrite --quiet --set 'handles.b={vertices: [10, 12, 14, 16], rotate: {axis: [0, 0, 1], angle: 30 deg}}'
awk '/^v/ { for (k = 0; k < 3; ++k) x[n, k] = $(k + 2); ++n }
  function apart(i, j, d, k) { d = 0; for (k = 0; k < 3; ++k) d += (x[i, k] - x[j, k]) ^ 2; return sqrt(d) }
  END { for (k = 0; k < 4; ++k) if (apart(2 * k + 1, 8 + 2 * k) > most) most = apart(2 * k + 1, 8 + 2 * k); print most < 1e-6 ? "together" : "torn by " most }' x.obj
