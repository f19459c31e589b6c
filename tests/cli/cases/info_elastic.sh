# Elastic particles are counted: at the end of a run, in a snapshot, in a file; one that is cut short says where. The automatic
# limit of speed lets a body fall, and stops one whose parts fly apart.
cat > soft.yaml <<'SCENE'
dimensions: 2
spacing: 0.1
duration: 0.05
fps: 20
materials: {rubber: {young: 1 MPa}}
bodies: {block: {material: rubber, shape: {box: {low: [0, 5], high: [0.4, 5.4]}}}}
outputs: {preview: false}
SCENE
"$MOTE" run --quiet soft.yaml -o soft | sed 's/, state.*//'
"$MOTE" run --quiet soft.yaml -o json --json | tail -1 | grep -o '"particles":0,"elastic":16'
"$MOTE" info soft | sed -n '1s/, state.*//p; /table "bodies"/p'
"$MOTE" info soft/elastic.0001.vtp | sed -n '1s/,.*//p'
head -c 3000 soft/elastic.0001.vtp > cut.vtp
"$MOTE" info cut.vtp 2>&1; echo "status $?"
echo 'forces: {apart: {acceleration: ["1e6*(x-0.2)", 0]}}' >> soft.yaml
"$MOTE" run --quiet soft.yaml -o apart > /dev/null 2> apart.txt; echo "status $?"
grep -o 'of elastic particle' apart.txt
