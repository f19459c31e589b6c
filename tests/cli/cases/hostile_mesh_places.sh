# Particles where nobody puts them, by every method: a closed mesh, or a word.
row() { awk -v kind="$1" 'BEGIN { print "x,y,z"; for (k = 0; k < 216; ++k) {
  x = k % 6; y = int(k / 6) % 6; z = int(k / 36)
  if (kind == "one" && k > 0) break
  if (kind == "pair" && k > 1) break
  if (kind == "one" || kind == "pair" || kind == "heap") { x = y = z = 3 }
  if (kind == "line") { x = y = z = k }
  s = kind == "tiny" ? 2e-11 : 0.1; o = kind == "far" ? 1e9 : 0
  printf "%.17g,%.17g,%.17g\n", o + s * x, o + s * y, kind == "heap" && k == 0 ? 9 : -o + s * z } }'; }
for kind in one pair heap line tiny far; do
  row $kind > $kind.csv
  for method in anisotropic density mass zhu-bridson adams; do
    "$MOTE" mesh $kind.csv -o a.ply --overwrite --quiet --json --method $method --spacing $([ $kind = tiny ] && echo 2e-11 || echo 0.1) |
      grep -c '"triangles":[1-9].*"closed":true,"manifold":true' | tr '\n' ' '
  done
  echo $kind
done
"$MOTE" mesh one.csv -o b.ply || "$MOTE" mesh far.csv -o b.ply --spacing 1e-13
