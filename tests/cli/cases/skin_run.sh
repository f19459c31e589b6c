# A finer mesh is carried along by an elastic body of a stored run: at rest it is where it was, later it lies with the body; by
# both kinds, as points, some of the frames; and what is refused says why.
cat > box.yaml <<END
spacing: 0.1
duration: 0.2
fps: 10
domain: {low: [-1, 0, -1], high: [1, 2, 1], y: [wall, open]}
bodies:
  left: {material: jelly, shape: {box: {low: [-0.6, 0.1, -0.2], high: [-0.2, 0.5, 0.2]}}}
  right: {material: jelly, shape: {box: {low: [0.2, 0.1, -0.2], high: [0.6, 0.5, 0.2]}}}
outputs: {preview: false}
END
cat > fine.obj <<END
v 0.2 0.1 -0.2
v 0.6 0.1 -0.2
v 0.4 0.5 0.2
vn 0 0.7071067811865475 -0.7071067811865475
f 1//1 3//1 2//1
END
printf 'x,y,z,n_x,n_y,n_z,heat\n0.3,0.2,0,0,1,0,7\n0.5,0.4,0,0,1,0,8\n' > points.csv
"$MOTE" run box.yaml --quiet --threads 1 -o run > /dev/null || exit 1
"$MOTE" skin run --mesh fine.obj --body right -o 'fine.%04d.obj' --quiet || exit 1
grep '^v ' fine.0001.obj
"$MOTE" skin run --mesh fine.obj --body right -o made/fine.obj --frames 1 || exit 1
"$MOTE" skin run --mesh fine.obj --body right -o one.vtp --frames 3 --by fields --threads 2 || exit 1
"$MOTE" info one.vtp | grep -c 'with normals'
"$MOTE" skin run --mesh points.csv --body right -o 'points.%04d.csv' --frames 1:3:2 || exit 1
grep -v '^#' points.0001.csv
cmp -s points.0001.csv points.0003.csv || echo they moved
"$MOTE" skin run --mesh fine.obj --body right -o json.vtp --frames 1 --json
try() { "$MOTE" skin "$@" 2>&1; echo "status $?"; }
try run --mesh fine.obj -o x.obj
try run --mesh fine.obj -o x.obj --body rigth
try run --mesh fine.obj -o x.obj --body left --frames 1
try run --mesh fine.obj -o x.obj --body right --frames 1 --scale 1000
try run --mesh fine.obj -o x.obj --body right --frames 9
try run --mesh fine.obj -o x.obj --body right --frames 1 --by hand
try run --mesh points.csv -o x.obj --body right --frames 1
try run --mesh missing.obj -o x.obj --body right
try run --mesh fine.obj -o ./fine.obj --body right --frames 3 --overwrite
: > empty.obj
try run --mesh empty.obj -o x.obj --body right
try . --mesh fine.obj -o x.obj
head -c 2000 run/elastic.0002.vtp > short && mv short run/elastic.0002.vtp
try run --mesh fine.obj -o 'cut.%04d.obj' --body right
ls cut.*
rm run/elastic.0*
try run --mesh fine.obj -o 'x.%04d.obj' --body right
