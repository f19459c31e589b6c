# The estimate is that of the whole run, with its pictures: within a factor of 2.5 in time and of 1.5 in memory, by check and in
# run.json. What is tried out leaves no files. Rigid scenes have no wall samples.
cat > boxes.yaml <<'SCENE'
spacing: 2 cm
duration: 0.4 s
domain: {low: [0, 0, 0], high: [4, 4, 4], x: wall, y: wall, z: wall}
materials: {wood: {model: rigid, density: 600}}
bodies:
  a: {material: wood, shape: {box: {low: [1, 0.1, 1], high: [1.5, 0.6, 1.5]}}}
  b: {material: wood, shape: {box: {low: [1.1, 0.8, 1], high: [1.6, 1.3, 1.5]}}}
SCENE
mkdir temporary
number() { sed -n "s/.*\"$2\":\([-+0-9.e]*\).*/\1/p" "$1"; }
TMPDIR=$PWD/temporary "$MOTE" check --json --threads 1 boxes.yaml > check || exit 1
ls temporary
"$MOTE" run boxes.yaml --threads 1 --quiet > log || exit 1
sed 's/.*"estimate"://; s/"truth".*//' boxes/run.json > estimate
sed 's/.*"truth"://; s/"version".*//' boxes/run.json > truth
number check wall_samples
for what in check estimate; do
  awk -v e="$(number $what seconds)" -v t="$(number truth processor_seconds)" -v b="$(number $what bytes)" -v m="$(number truth bytes)" \
    'BEGIN { print (t > 0.4 && e < 2.5 * t && t < 2.5 * e), (b < 1.5 * m && m < 1.5 * b), e, t, b, m }' | tee -a numbers | cut -d' ' -f1,2
done
number truth particles
# Fewer frames take less: about half. What else the machine does disturbs times, so both are tried up to three times.
for try in 1 2 3; do
  "$MOTE" check --json --threads 1 boxes.yaml > check
  "$MOTE" check --json --threads 1 --frames 6 boxes.yaml > few
  less=$(awk -v few="$(number few seconds)" -v all="$(number check seconds)" 'BEGIN { print (few > 0 && few < 0.8 * all) }')
  [ "$less" = 0 ] || break
done
echo "$less"
