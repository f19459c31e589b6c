# What cannot be moved says why, keys with line and column.
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n' > good.obj
printf 'f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n' >> good.obj
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n' > other.obj
cat > keys.yaml <<END
deform: {nodes: 20, handles: {a: {vertices: [1-4]}}}
keys:
  - time: 0
  - time: 1
    handles: {a: {move: [0, 0, 0.1]}}
obstacles:
  ball: {shape: {sphere: {centre: [5, 5, 5], radius: 1}}}
END
try() { timeout 60 "$MOTE" animate "$@" 2>&1; echo "status $?"; }
edit() { sed "$1" keys.yaml > wrong.yaml; try good.obj wrong.yaml -o x.glb; }
try good.obj -o x.glb
try good.obj keys.yaml -o dir --format txt
try good.obj keys.yaml -o x.glb --format ply
try good.obj keys.yaml -o x.obj
try good.obj keys.yaml -o 'x.%04d.ply'
try missing.obj keys.yaml -o x.glb
try keys.yaml -o x.glb
edit 's/time: 1/time: 0/'
edit 's/time: 1/time: nan/'
edit 's/{a: {move/{b: {move/'
edit 's/handles: {a: {move.*/mesh: other.obj/'
edit 's/handles: {a: {move.*/mesh: missing.obj/'
edit 's/radius: 1/radius: 0/'
edit 's/radius: 1}}}/radius: 1}}, motion: {move: ["t+", 0, 0]}}/'
edit 's/obstacles/obstacle/'
edit 's/1-4/1-9/'
edit 's/\[1-4\]/[1-4], fix: true/'
edit 's/time: 1/time: 1e9/'
edit '$a fps: 1e6'
edit '$a frames_max: 1001'
edit '$a frames_max: 0'
edit '$a frames_max: 1'
