# No command replaces a file without --overwrite, and none its own input.
printf "x,y,z,heat\n0,0,0,1\n1,0,0,2\n0,1,0,4\n" > few.csv
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
cp cube.obj before.obj
for out in old.ply old.csv old.0000.ply old.0009.ply; do echo mine > $out; done
shatter() { "$MOTE" shatter cube.obj --pieces 2 --edge 0.2 --quiet "$@" 2>&1; echo "status $?"; }
shatter -o cube.obj
shatter -o cube.obj --overwrite
shatter -o old.ply
shatter -o 'old.%04d.ply'
"$MOTE" convert cube.obj cube.obj 2>&1
"$MOTE" convert cube.obj ./cube.obj --overwrite 2>&1
"$MOTE" convert cube.obj old.ply 2>&1
"$MOTE" convert few.csv old.csv 2>&1
"$MOTE" sample few.csv --at 0,0 -o few.csv 2>&1
"$MOTE" sample few.csv --at 0,0 -o old.csv 2>&1
cat old.ply old.csv old.0000.ply
cmp cube.obj before.obj
echo with --overwrite
shatter -o old.ply --overwrite
shatter -o 'old.%04d.ply' --overwrite
"$MOTE" convert cube.obj old.ply --overwrite
"$MOTE" sample few.csv --at 0,0 -o old.csv --overwrite
grep -c mine old.ply old.csv old.0000.ply
true
