# A cube in pieces: as one file, as a file for each, as named nodes, and cut by the triangles of another mesh.
cat > cube.obj <<END
v 0 0 0
v 1 0 0
v 0 1 0
v 1 1 0
v 0 0 1
v 1 0 1
v 0 1 1
v 1 1 1
f 1 3 4 2
f 5 6 8 7
f 1 2 6 5
f 3 7 8 4
f 1 5 7 3
f 2 4 8 6
END
cat > knife.obj <<END
v -1 0.4 -1
v 3 0.4 -1
v 3 0.4 5
v -1 0.4 5
f 1 2 3 4
END
"$MOTE" shatter cube.obj -o all.ply --pieces 5 --edge 0.05 | sed 's/:.*//'
"$MOTE" info all.ply | grep -c "open edges"
"$MOTE" shatter cube.obj -o pieces.glb --pieces 5 --edge 0.05 --quiet
grep -a -o '"nodes":\[{"name":"fragment_0000","mesh":0},{"name":"fragment_0001","mesh":1}' pieces.glb
"$MOTE" shatter cube.obj -o 'half.%04d.obj' --by knife.obj --edge 0.05 --json | grep -o '"pieces":2'
ls half.*
# Simplified, and with all triangles of the grid: more than eight times as many.
few=$("$MOTE" shatter cube.obj -o few.ply --pieces 5 --edge 0.025 --json)
many=$("$MOTE" shatter cube.obj -o many.ply --pieces 5 --edge 0.025 --simplify 0 --json)
count() { echo "$1" | sed 's/.*"triangles":\([0-9]*\).*/\1/'; }
[ $((8 * $(count "$few"))) -lt "$(count "$many")" ] && echo "fewer triangles"
"$MOTE" shatter cube.obj -o x.glb --simplify -1 2>&1
for length in nan inf 1e300 1.5; do "$MOTE" shatter cube.obj -o x.glb --edge 0.2 --simplify $length 2>&1; echo $?; done
"$MOTE" shatter cube.obj -o x.glb --pieces 1 2>&1
"$MOTE" shatter cube.obj -o x.glb --focus 1,2 2>&1
"$MOTE" shatter knife.obj -o x.glb 2>&1
"$MOTE" shatter cube.obj -o x.glb --edge 1e-6 2>&1
"$MOTE" shatter cube.obj -o x.glb --edge 5 2>&1
"$MOTE" shatter cube.obj -o x.glb --edge 1e50 2>&1
"$MOTE" shatter cube.obj -o x.glb --focus nan,0,0 2>&1
"$MOTE" shatter cube.obj -o x.glb --focus 1e300,0,0 2>&1
"$MOTE" shatter cube.obj -o coarse.glb --edge 1 --pieces 2 --quiet 2>&1
"$MOTE" shatter cube.obj -o x.glb --roughness 5 2>&1
"$MOTE" shatter cube.obj -o x.glb --pieces 3 --edge 0.1 --gap 0.3 --quiet 2>&1
"$MOTE" shatter cube.obj -o y.glb --gap 1.1 2>&1
"$MOTE" shatter 2>&1
true
