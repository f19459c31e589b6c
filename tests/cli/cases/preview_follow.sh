# In an open domain the camera of previews follows, the same way after --resume and for single frames; in a tank it stays.
cat > thrown.yaml << 'YAML'
spacing: 0.1
duration: 0.4
fps: 20
bodies: {drop: {shape: {sphere: {centre: [0, 0, 0], radius: 0.3}}, velocity: [8, 0, 0]}}
outputs: {size: [64, 48], range: [0, 10]}
YAML
draw() { "$MOTE" render $1 --preview --size 64x48 --quiet -o $2 "${@:3}" > draw.log || cat draw.log; }
same() { cmp -s $1 $2 && echo same || echo other; }
"$MOTE" run thrown.yaml --quiet > run.log || cat run.log
mkdir later; "$MOTE" run thrown.yaml -o later/thrown --frames 4 --quiet > run.log && "$MOTE" run later/thrown --resume --quiet > run.log || cat run.log
for frame in 0005 0009; do echo "resumed, frame $frame: $(same thrown/preview.$frame.png later/thrown/preview.$frame.png)"; done
echo "view.csv: $(same thrown/view.csv later/thrown/view.csv), $(wc -l < thrown/view.csv) lines"
draw thrown all.%04d.png; draw thrown one.png --frames 9; draw thrown still.png --frames 9 --view domain
echo "rendered alone: $(same all.0009.png one.png), the domain: $(same one.png still.png)"
"$MOTE" run thrown.yaml -o tank --quiet --set 'domain={low: [-1, -9, -1], high: [6, 1, 1], x: wall, y: [wall, open]}' > run.log || cat run.log
ls tank/view.csv 2> /dev/null || echo "no view.csv in a tank"
