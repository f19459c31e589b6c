# Keys that have no effect are reported with their place, by check and by run; options of mesh by name.
sed 's/^ *//' > scene.yaml <<'SCENE'
dimensions: 2
spacing: 0.1
duration: 0.01
materials: {soft: {model: elastic, density: 1000, young: 1e5, viscosity: 3, creep_rate: 3}}
domain: {air: {heat_transfer: 20}}
bodies: {a: {material: soft, shape: {box: {low: [0.2, 0.2], high: [0.8, 0.8]}}}}
probes: {p: {from: [1, 1], count: 7}}
solver: {stiffness: 1e5, exponent: 7, density_error: 1e-3}
outputs: {preview: false, formats: []}
SCENE
"$MOTE" check scene.yaml 2>&1 > /dev/null | grep effect
"$MOTE" run scene.yaml -o out --quiet --frames 1 2>&1 > /dev/null | grep -c effect
"$MOTE" check scene.yaml --set solver.pressure=wcsph 2>&1 > /dev/null | grep 'solver.*effect'
printf 'x,y,z\n0,0,0\n0.1,0,0\n' > two.csv
"$MOTE" mesh two.csv -o two.obj --spacing 0.1m --tag-count 0.5 2>&1 > /dev/null | grep effect
"$MOTE" mesh two.csv -o three.obj --spacing 0.1m --tag-count 0.5 --shrink 2>&1 > /dev/null | grep -c effect
"$MOTE" mesh two.csv -o four.obj --spacing 0.1m --method density --radius 1 2>&1 > /dev/null | grep effect
