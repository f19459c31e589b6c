# Two tetrahedra that share a vertex.
cat > two.obj << END
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
v -1 0 0
v 0 -1 0
v 0 0 -1
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
f 1 5 6
f 1 7 5
f 1 6 7
f 5 7 6
END
"$MOTE" info two.obj | tail -3 | head -2
"$MOTE" info two.obj --json | grep -oE '"(pinched_vertices|genus|smallest_angle)":[^,]*'
