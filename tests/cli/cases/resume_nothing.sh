. "$(dirname "$0")/../small.sh"
"$MOTE" run small.yaml --resume; echo $?; mkdir small; "$MOTE" run small.yaml --resume; s=$?; ls -A small; exit $s
