# 2D particles have contours: lines with fields, a table, a filled drawing and a picture; in a run, too.
python3 - <<'END'
with open('p.csv', 'w') as f:
    print('x,y,speed\n# mote 0.1.0\n# time 0.5\n# spacing 1', file=f)
    for i in range(400): print(i % 20, i // 20, i % 20, sep=',', file=f)
END
for e in vtp csv svg png; do "$MOTE" mesh p.csv -o c.$e 2> /dev/null || exit 1; done
head -1 c.csv
"$MOTE" info c.vtp | grep -o 'speed *f64'
grep -c '<path fill' c.svg
"$MOTE" mesh p.csv -o c.ply 2>&1
"$MOTE" examples dam_break_2d > scene.yaml
"$MOTE" run scene.yaml -o run --quiet --set duration=0.02 --set spacing=0.05 --set 'outputs.surface={formats: [vtp, svg], fields: [velocity]}' > /dev/null || exit 1
ls run | grep -c '^surface\.'
"$MOTE" info run/surface.0001.vtp | grep -o '|velocity| *f32 x 3 *m/s'
"$MOTE" check scene.yaml --set 'outputs.surface={formats: [ply]}' 2>&1 | head -1
