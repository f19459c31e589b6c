. "$(dirname "$0")/../small.sh"
sed 's/drop: {shape/drop: {material: watr, shape/' small.yaml > bad.yaml; "$MOTE" check --json bad.yaml
