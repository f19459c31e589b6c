. "$(dirname "$0")/../small.sh"
"$MOTE" run small.yaml --set bodies.drop.materal=oil; s=$?; ls; exit $s
