. "$(dirname "$0")/../block.sh"
block 0 > f.1.csv; echo nonsense > f.2.csv; block 0 > f.3.csv
"$MOTE" mesh f.%d.csv -o s.%d.obj --quiet | cut -d: -f1 | head -1; s=${PIPESTATUS[0]}; ls s.*; exit $s
