# USD and BGEO of surfaces and particles, from convert, mesh and run; the sequence; what is broken, with its place.
. "$(dirname "$0")/../things.sh"
"$MOTE" convert tetra.obj a.usda && "$MOTE" convert a.usda b.bgeo && "$MOTE" convert b.bgeo c.obj && "$MOTE" info c.obj | head -1
"$MOTE" examples dam_break_2d > scene.yaml
"$MOTE" run scene.yaml -o run --quiet > /dev/null --set duration=0.02 --set spacing=0.1 --set 'outputs.formats=[usda,bgeo]' --set outputs.preview=false
ls run | grep -c 'particles.000[0-9].*usda'
"$MOTE" info run/particles.0001.usda | grep -o '|velocity| *f32 x 3 *m/s'
python3 - <<'END'
for k in range(2):
    with open('p.%04d.csv' % k, 'w') as f:
        print('x,y,z,velocity_x,velocity_y,velocity_z\n# mote 0.1.0\n# time %g\n# spacing 1' % (0.5 * k), file=f)
        for i in range(64): print(i % 4 + k, i // 4 % 4, i // 16, 2, 0, 0, sep=',', file=f)
END
for e in usda bgeo; do "$MOTE" mesh 'p.%04d.csv' -o "m.%04d.$e" > /dev/null 2>&1; "$MOTE" info m.0001.$e | grep -o '|velocity|.*'; done
grep -c 'references = @./m.000[01].usda@' m.usda && grep TimeCode m.usda
python3 -c "print('x,y,z'); [print((k + 0.1) / 97, (k + 0.7) / 89, k / 83, sep=',') for k in range(60)]" > thirds.csv
"$MOTE" convert thirds.csv new/thirds.usda 2>&1
sed 's/faceVertexIndices = \[0/faceVertexIndices = [x/' a.usda > broken.usda
"$MOTE" info broken.usda 2>&1
