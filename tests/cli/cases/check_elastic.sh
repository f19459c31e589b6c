# Elastic particles are counted, their steps named; what is held does not fall out; their energy is in totals.csv, which has no
# such column where nothing is elastic. What looks like a mistake is told in words for such bodies.
. "$(dirname "$0")/../small.sh"
cat > soft.yaml <<'SCENE'
dimensions: 2
spacing: 0.1
duration: 0.05
fps: 20
solver: {quality: fast}
materials: {rubber: {preset: rubber, young: 1 MPa, integrator: implicit}}
bodies:
  beam:
    material: rubber
    shape: {box: {low: [0, 0], high: [1, 0.4]}}
    hold: [{shape: {box: {low: [-1, -1], high: [0.1, 1]}}}]
outputs: {size: [64, 64], preview: false}
SCENE
"$MOTE" check soft.yaml | sed -n '2,3p'
"$MOTE" check --json soft.yaml | sed 's/.*"elastic"/"elastic"/; s/,"bytes".*//'
"$MOTE" run --quiet soft.yaml -o soft > soft.log && head -1 soft/totals.csv | sed 's/.*volume_error/volume_error/'
"$MOTE" run --quiet small.yaml -o wet > wet.log && head -1 wet/totals.csv | sed 's/.*volume_error/volume_error/'
warned() { "$MOTE" check soft.yaml "$@" 2>&1 | grep 'warning\|error\|unknown'; }
held() { echo "bodies.beam.hold=[{shape: {box: {low: [-1, -1], high: [0.1, 1]}}, motion: {move: [0, $1]}}]"; }
warned --set "bodies.beam.shape.box.high=[1, 0.2]"
warned --set "$(held '0.3 + t')"
warned --set "$(held t)" --set "domain={low: [-1, 0], high: [0.8, 1]}"
warned --set materials.rubber.integrator=explicit --set materials.rubber.strain_damping=1000
warned --set bodies.beam.grading=2 --set spacing=0.05
warned --set bodies.beam.grading=2
sed 's/preset: rubber, //' soft.yaml > named.yaml
"$MOTE" check named.yaml 2>&1 | grep warning
