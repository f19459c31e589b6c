cat > tetra.obj << END
v 0 0 0 1 0 0
v 1 0 0 0 1 0
v 0 1 0 0 0 1
v 0 0 1 0.2 0.4 0.6
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
END
for pair in 'tetra.obj a.vtp' 'a.vtp b.glb' 'b.glb c.ply.gz' 'c.ply.gz d.obj'; do "$MOTE" convert $pair || exit; done
grep '^v' d.obj
"$MOTE" convert d.obj e.stl; echo "exit $?"
"$MOTE" convert d.obj e.stl --lossy
"$MOTE" info b.glb
