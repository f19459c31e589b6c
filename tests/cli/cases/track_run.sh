# One mesh through a run: a ball that falls, without events; the same bytes for any threads.
cat > ball.yaml <<'TXT'
spacing: 5 cm
duration: 0.1 s
fps: 40
domain: {low: [-1, -3, -1], high: [1, 1, 1], x: open, y: open, z: open}
bodies: {ball: {shape: {sphere: {centre: [0, 0, 0], radius: 20 cm}}}}
TXT
"$MOTE" run ball.yaml -o run --quiet > /dev/null || exit 1
"$MOTE" track run -o 'run/one.%04d.vtp' --threads 1 --json | sed 's/.*"changed":\([0-9]*\).*"crossings":\([0-9]*\),"failed":\([0-9]*\).*/changed \1 crossings \2 failed \3/'
"$MOTE" track run -o two --format vtp --threads 2 --quiet > /dev/null
for k in 1 2 3 4 5; do cmp run/one.000$k.vtp two/*000$k.vtp || exit 1; done
cat run/events.csv
ls run/one.pvd two | grep -c vtp
"$MOTE" track run -o 'mean.%04d.ply' --velocity mean --fairing 0 --project 1 --edge 0.8 --frames 2:3 > /dev/null && ls mean.*
"$MOTE" track run -o 'waves.%04d.vtp' --overwrite --waves capillary --frames 1:3 > /dev/null && grep -c 'Name="wave_height"' waves.0003.vtp
"$MOTE" track run -o x --format vtp --waves plate 2>&1; echo $?
"$MOTE" track run -o x --format vtp --waves high 2>&1; echo $?
echo refusals:
"$MOTE" track run -o x --format vtp --velocity none 2>&1; echo $?
"$MOTE" track run 2>&1; echo $?
"$MOTE" track nowhere -o x --format vtp 2>&1; echo $?
printf 'dimensions: 2\nspacing: 0.1\nduration: 0.01\nbodies: {a: {shape: {box: {low: [0, 0], high: [1, 1]}}}}\n' > flat.yaml
"$MOTE" run flat.yaml -o flat --quiet > /dev/null
"$MOTE" track flat -o x --format vtp 2>&1; echo $?
