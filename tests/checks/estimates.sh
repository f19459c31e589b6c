#!/bin/bash
# estimates.sh MOTE [LONGEST [I/N]]: `mote check` against `mote run`, of one thread, in seconds of the processor and in peak memory: all built-in scenes,
# and scenes with odd values. Where the estimate says that a run would be long, both are of its first frames (--frames), so many that
# it takes LONGEST seconds by the estimate; where something may break, of those before the impact. Fails where an estimate is off by
# more than a factor of 2.5 in time (runs below a second are not compared) or of 1.5 in memory. I/N: every N-th of them from the I-th on,
# so that a machine with many cores shares the work: for I in $(seq 14); do estimates.sh mote 6 $I/14 > $I.log & done.
set -u
tool=$1
LONGEST=${2:-6}
shard=${3:-1/1}
if ! [[ $shard =~ ^[1-9][0-9]*/[1-9][0-9]*$ && ${shard%/*} -le ${shard#*/} ]]; then
  echo "estimates.sh: a shard is I/N, 1/1 to N/N, not \"$shard\"" >&2
  exit 2
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What is to be run: a scene and what is set in it.
cases() {
  "$tool" examples | cut -d' ' -f1
  cat <<'ODD'
dam_break spacing=0.06
dam_break spacing=0.012
dam_break outputs.preview=false
dam_break outputs.surface=true
dam_break outputs.size=[160,120]
dam_break solver.quality=fast
dam_break solver.quality=accurate
dam_break solver.pressure=wcsph
dam_break solver.pressure=pcisph
dam_break fps=400
dam_break fps=2
dam_break gravity=[0,-200,0]
dam_break_2d spacing=0.1
dam_break_2d spacing=0.004
dam_break_2d bodies.dam.material=honey
still_pool gravity=0
honey_fold spacing=8mm
tap spacing=0.02
fountain spacing=0.05
ice_cube spacing=8mm materials.ice.density=500
ice_cube spacing=2mm
beam spacing=0.03
beam materials.rubber.young=1e8
soft_boxes spacing=0.04
leap_fall gravity=0
lattice_bounce spacing=0.02
dice spacing=0.03
box_stack spacing=0.001
slope spacing=0.2 duration=20
gravel_pile duration=0.2
stone_pig spacing=0.05
ODD
}

# A ball of steel that sinks in a tube full of thick liquid.
cat > "$work/tube.yaml" <<'TUBE'
dimensions: 3
spacing: 16 mm
duration: 1.2 s
fps: 10
domain: {low: [-0.16, 0, -0.16], high: [0.16, 0.4, 0.16], x: wall, y: wall, z: wall}
materials: {oil: {viscosity: 5}, steel: {preset: steel}}
colliders: {tube: {shape: {cylinder: {from: [0, -0.1, 0], to: [0, 0.5, 0], radius: 0.128}, inverted: true}}}
bodies:
  oil: {material: oil, shape: {cylinder: {from: [0, 0, 0], to: [0, 0.37, 0], radius: 0.128}}}
  ball: {material: steel, shape: {sphere: {centre: [0, 0.28, 0], radius: 0.032}}}
TUBE

number() { sed -n "s/.*\"$2\":\([-+0-9.e]*\).*/\1/p" "$1"; }
truth() { sed 's/.*"truth"://' "$1" > "$work/truth"; number "$work/truth" "$2"; }

# The estimate of the frames that are run, into $work/check.
estimate() { nice "$tool" check --json --threads 1 "$@" > "$work/check"; }

failed=0 count=0
printf '%-52s %9s %9s %6s %9s %9s %6s\n' scene estimate truth ratio 'MB est.' 'MB true' ratio
while read -r scene sets; do
  options=()
  for set in $sets; do options+=(--set "$set"); done
  count=$((count + 1))
  if ! estimate "$scene" "${options[@]}"; then
    echo "$scene $sets: cannot be checked" && cat "$work/check" && failed=1
    continue
  fi
  frames=$(awk -v s="$(number "$work/check" seconds)" -v n="$(number "$work/check" frames)" -v most="$LONGEST" \
    -v known="$(number "$work/check" known_until)" -v all="$(number "$work/check" duration)" \
    'BEGIN { if (known < all) { print 1 + int((n - 1) * known / all); exit } k = s > most ? int(n * most / s) : n; print k < 2 ? 2 : k }')
  estimate "$scene" "${options[@]}" --frames "$frames"
  rm -rf "$work/run"
  if ! (ulimit -t 120 && nice "$tool" run "$scene" "${options[@]}" -o "$work/run" --frames "$frames" --threads 1 --quiet) > "$work/log" 2>&1; then
    echo "$scene $sets: the run fails" && tail -1 "$work/log" && failed=1
    continue
  fi
  awk -v name="$scene $sets ($frames frames)" -v e="$(number "$work/check" seconds)" -v t="$(truth "$work/run/run.json" processor_seconds)" \
    -v b="$(number "$work/check" bytes)" -v m="$(truth "$work/run/run.json" bytes)" 'BEGIN {
      time = (e < 1 && t < 1) || (e < 2.5 * t && t < 2.5 * e); memory = b < 1.5 * m && m < 1.5 * b
      printf "%-52s %9.2f %9.2f %6.2f %9.1f %9.1f %6.2f%s%s\n", name, e, t, e / t, b / 1e6, m / 1e6, b / m, time ? "" : " TIME", memory ? "" : " MEMORY"
      exit !(time && memory)
    }' || failed=1
done < <({ cases && echo "$work/tube.yaml"; } | awk -v i="${shard%/*}" -v n="${shard#*/}" 'NR % n == i % n')
echo "$count scenes"
exit $failed
