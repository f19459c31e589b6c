. "$(dirname "$0")/../small.sh"
# A scene called scene.yaml in the very directory is not taken for a run's.
mv small.yaml scene.yaml; cp scene.yaml kept; "$MOTE" run scene.yaml -o . --overwrite; s=$?; cmp scene.yaml kept && exit $s
