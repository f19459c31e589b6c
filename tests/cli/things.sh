# What the cases about meshes and pictures share: a tetrahedron in tetra.obj, 27 particles in drops.csv, ffmpeg or a word about it.
cat > tetra.obj << END
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
END
{
  echo x,y,z,heat
  for x in 0 1 2; do for y in 0 1 2; do for z in 0 1 2; do echo "$x,$y,$z,$((x + y + z))"; done; done; done
} > drops.csv
# Width and height of a PNG file.
size_of() { od -A n -t u1 -j 16 -N 8 "$1" | awk '{print $3 * 256 + $4 "x" $7 * 256 + $8}'; }
