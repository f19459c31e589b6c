. "$(dirname "$0")/../small.sh"
sed 's/spacing/spaceing/' small.yaml > bad.yaml; "$MOTE" run bad.yaml; s=$?; ls; exit $s
