# What cannot be deformed says why, edits with line and column.
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n' > good.obj
printf 'f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n' >> good.obj
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\nf 1 3 2\nf 2 3 4\n' > flat.obj
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 nan\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n' > nan.obj
printf 'v 0 0 0\n' > points.obj
: > empty.obj
cat > edits.yaml <<END
nodes: 20
handles:
  a: {vertices: [1], fix: true}
  b: {vertices: [2-3], move: [0.1, 0, 0]}
END
try() { timeout 60 "$MOTE" deform "$@" 2>&1; echo "status $?"; }
try good.obj
try good.obj edits.yaml -o x.txt
try good.obj edits.yaml -o good.obj --overwrite
for mesh in flat nan points empty missing; do try $mesh.obj edits.yaml -o x.obj; done
try edits.yaml -o x.obj
try good.obj missing.yaml -o x.obj
try good.obj edits.yaml -o x.obj --set nods=9
try good.obj edits.yaml -o x.obj --set handles.a.vertices=[9]
try good.obj edits.yaml -o x.obj --set 'handles.a={group: head, fix: true}'
try good.obj edits.yaml -o x.obj --set 'handles.a={shape: {sphere: {centre: [9, 9, 9], radius: 1}}, fix: true}'
sed 's/move:/mov:/' edits.yaml > wrong.yaml; try good.obj wrong.yaml -o x.obj
sed 's/0.1/nan/' edits.yaml > wrong.yaml; try good.obj wrong.yaml -o x.obj
sed 's/2-3/2-9/' edits.yaml > wrong.yaml; try good.obj wrong.yaml -o x.obj
sed 's/move: .*}/rotate: {axis: [0, 0, 0]}}/' edits.yaml > wrong.yaml; try good.obj wrong.yaml -o x.obj
echo '{}' > wrong.yaml; try good.obj wrong.yaml -o x.obj
sed 's/0\.1, 0/1 km, 0/' edits.yaml > wrong.yaml; try good.obj wrong.yaml -o x.obj
sed 's/nodes: 20/nodes: 7/' edits.yaml > wrong.yaml; try good.obj wrong.yaml -o x.obj
touch there.obj; try good.obj edits.yaml -o there.obj
