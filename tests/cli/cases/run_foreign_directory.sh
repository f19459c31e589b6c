. "$(dirname "$0")/../small.sh"
mkdir small; touch small/letter; "$MOTE" run small.yaml; echo $?; "$MOTE" run small.yaml --overwrite; echo $?; ls -A small
