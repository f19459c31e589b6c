. "$(dirname "$0")/../small.sh"
"$MOTE" run small.yaml --set "outputs.fields=[velocty]"; s=$?; ls; exit $s
