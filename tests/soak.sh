#!/bin/bash
# soak.sh MOTE [--only SCENE]... [--solver NAME]... [--budget S] [--log FILE] [--spacing F] [--coarse F] [--length F]
#         [--threads N] [--keep DIR]
# Runs every scene of scenes/ ten times its length, at twice its spacing and at its own, and its own length with
# every other solver, and looks at what is left: docs/testing.md, "Soaking".
#   --only SCENE   this scene only (its name; may be given more than once)
#   --solver NAME  this solver only (may be given more than once)
#   --budget S     begins no run after S seconds of processor time
#   --log FILE     where to (default: soak.log); what is printed, and the commands
#   --spacing F    all spacings times F (default 1)
#   --coarse F     at F times these only: 2 or 1 (default: both)
#   --length F     how many times its length a scene is run with its own solver (default 10)
#   --threads N    threads of a run (default 2)
#   --keep DIR     leaves the runs in DIR, and goes on with those that were stopped (Ctrl-C, or kill)
# exit status: 0 all that was run is well, 1 something is not, 2 usage
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
budget=1000000000 log=soak.log scale=1 coarses='2 1' length=10 threads=2 keep='' only='' solvers=''
usage() { sed -n '2,16s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[ $# -ge 1 ] || usage
mote=$(command -v "$1") || usage
shift
while [ $# -gt 0 ]; do
  [ $# -ge 2 ] || usage
  case $1 in
    --only) only="$only $2 " ;;
    --solver) solvers="$solvers $2 " ;;
    --budget) budget=$2 ;;
    --log) log=$2 ;;
    --spacing) scale=$2 ;;
    --coarse) coarses=$2 ;;
    --keep) keep=$2 ;;
    --length) length=$2 ;;
    --threads) threads=$2 ;;
    *) usage ;;
  esac
  shift 2
done

# What emitters, moving walls and forces add to the speeds that gravity explains, m/s.
drive() {
  case $1 in
    chocolate) echo 0.4 ;;
    chocolate_figure) echo 0.5 ;;
    clay_dent) echo 1.34 ;;     # its ball is drawn out by 0.4 m in 0.3 s
    clay_press) echo 1.83 ;;    # its plate lifts off by 0.55 m in 0.3 s
    cutting_tool) echo 0.44 ;;  # its blades lift off by 0.26 m in 0.6 s
    fast_tool) echo 20 ;;
    fountain) echo 3.4 ;;
    honey) echo 1 ;;
    honey_fold) echo 0.4 ;;
    lid_cavity) echo 1 ;;
    paddle) echo 1.2 ;;         # 4 rad/s at the tips, 0.3 m
    paddle_wheel) echo 1.5 ;;
    periodic_flow) echo 1.5 ;;  # a pump: 0.2 m/s^2 until friction stops it
    tap) echo 2 ;;
    wave_flume) echo 0.11 ;;    # its piston: 2 cm, 5.24 rad/s
    wave_maker) echo 1 ;;
    *) echo 0 ;;
  esac
}
driven() { grep -qE '^(emitters|forces):|motion:|surface_velocity:' "$1"; }
# The greatest and the least number after a key, anywhere in a scene written by mote run; "" where there is none.
greatest() { grep -hE "^ *$1: *[0-9.e+-]+$" "$2" | sed 's/.*: *//' | sort -g | tail -1; }
least() { grep -hE "^ *$1: *[0-9.e+-]+$" "$2" | sed 's/.*: *//' | sort -g | head -1; }
# Vessels that are no walls of the domain: "low high" along x, y, z, one a line.
vessel() {
  case $1 in
    bullet) less "$2" 0.0041 && printf '0 inf\n0 inf\n0 inf\n' ;;
    mesh_pool) printf '0 1.2\n0 0.8\n0 1.2\n' ;;
  esac
}

# A length in which what is in an open vessel cannot have got out of it in good order: one more run. The bullet meets
# the corner after 2.4 ms; to its rim there are 0.5 m, 1.7 ms at 300 m/s.
captive() { [ "$1" = bullet ] && echo 0.004; }
# Why a solver does not suit a scene, if it does not: then it is not run.
unsuited() {
  local scene=$work/look/scene.yaml
  [ "$1" = wcsph ] && return
  grep -qE '^ {4,}stiffness:' "$scene" && echo "a material has a stiffness, which is for wcsph"
  grep -q '^  steps: individual' "$scene" && [ "$1" != "$own" ] && echo "individual steps are for $own"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: > "$log" || exit 2
failed=0 ran=0 skipped=0 spent=0
say() { echo "$*" | tee -a "$log"; }
calculate() { awk "BEGIN { printf \"%.9g\", $* }"; }
less() { awk "BEGIN { exit !($1 < $2) }"; }

# field NAME FILE: a number at the top of a scene written by mote run; a key of the last line of JSON.
field() { sed -n "s/^$1: *\([-0-9.e+]*\)$/\1/p" "$2" | head -1; }
key() { grep -o "\"$1\":[-0-9.e+]*" "$2" | tail -1 | cut -d: -f2; }
# triple NAME FILE: an array of JSON as "x y z".
triple() { grep -o "\"$1\":\[[^]]*\]" "$2" | head -1 | sed 's/^[^[]*\[//; s/\]//; s/,/ /g; s/null//g'; }

# The walls of the domain, "low high" for each axis; -inf and inf where it is open or periodic.
walls() {
  awk '
    /^domain:/ { in_domain = 1; next }
    /^[a-z]/ { in_domain = 0 }
    in_domain && /^  (low|high|x|y|z):/ {
      name = $1; sub(":", "", name); sub(/^[^:]*: */, ""); gsub(/[][,]/, " ")
      n = split($0, part, " ")
      if (name == "low" || name == "high") for (k = 1; k <= n; ++k) at[name, k] = part[k]
      else { side[name, 1] = part[1]; side[name, 2] = n > 1 ? part[2] : part[1] }
    }
    END {
      split("x y z", axis, " ")
      for (k = 1; k <= 3; ++k)
        print side[axis[k], 1] == "wall" ? at["low", k] : "-inf", side[axis[k], 2] == "wall" ? at["high", k] : "inf"
    }' "$1"
}
closed() { ! walls "$1" | head -"$2" | grep -q inf; }

# inside INFO: reads "low high" for each axis; prints by how far particles of INFO are beyond, if they are.
inside() {
  paste -d' ' - <(triple low "$1" | tr ' ' '\n') <(triple high "$1" | tr ' ' '\n') |
    awk 'function out(k, by) { if (by > 1e-9) printf " outside along %s by %g m", substr("xyz", k, 1), by }
         NF == 4 { if ($1 != "-inf") out(NR, $1 - $3); if ($2 != "inf") out(NR, $4 - $2) }'
}

# Centres of rigid bodies in all frames, as low and high of JSON like that of mote info; not_finite: rows with no numbers.
bodies() {
  awk -F, '
    /^#/ || $1 == "time" { next }
    tolower($0) ~ /nan|inf/ { ++none; next }
    { for (k = 1; k <= 3; ++k) {
        if (!seen || $(2 + k) < low[k]) low[k] = $(2 + k)
        if (!seen || $(2 + k) > high[k]) high[k] = $(2 + k) } seen = 1 }
    END {
      if (seen) printf "{\"low\":[%.9g,%.9g,%.9g],\"high\":[%.9g,%.9g,%.9g],", low[1], low[2], low[3], high[1], high[2], high[3]
      printf "\"not_finite\":%d}\n", none
    }' "$1"
}
# infos DIR NUMBER: writes what there is to know of every kind of thing of a frame, a file of JSON each.
infos() {
  local file
  rm -f "$1"/info.*.json
  for file in "$1"/particles."$2".vtp "$1"/solids."$2".vtp; do
    [ ! -e "$file" ] || "$mote" info "$file" --json > "$1/info.$(basename "$file" ".$2.vtp").json" || echo -n " mote info failed"
  done
  [ ! -e "$1/bodies.csv" ] || bodies "$1/bodies.csv" > "$1/info.bodies.json"
}

# What is wrong with a run that has ended: nothing, or words. $1: its name, $2: directory, $3: solver, $4: duration.
examine() {
  local name=$1 dir=$2 solver=$3 duration=$4 last limit
  last=$(ls "$dir"/particles.*.vtp | tail -1 | sed 's/.*particles\.\([0-9]*\)\.vtp/\1/')
  infos "$dir" "$last" 2>> "$dir/stderr"
  for last in "$dir"/info.*.json; do
    grep -q '"not_finite":[1-9]' "$last" && echo -n " numbers that are none"
    walls "$dir/scene.yaml" | inside "$last"
    vessel "$name" "$duration" | inside "$last"
  done
  local reach soft tension  # see docs/testing.md
  soft=$(least stiffness "$dir/scene.yaml")
  tension=$(greatest '(surface|interface)_tension' "$dir/scene.yaml" | grep -v '^0$')
  reach=$(awk -v g="$gravity" -v top="$top" -v floor="$floor" -v v="$(drive "$name")" -v v0="$speed0" \
    -v sigma="${tension:-0}" -v rho="$(density "$dir/scene.yaml")" -v d="$(field spacing "$dir/scene.yaml")" \
    'BEGIN { if (v0 > v) v = v0; h = top - floor
             print 2 * sqrt(v * v + 4 * g * (h > 0 ? h : 0) + 2 * sigma / (rho * d)) }')
  limit=0.01
  [ "$solver" = wcsph ] && limit=0.03  # its sound: solver.compression is 0.01
  [ -z "$soft" ] || limit=$(calculate "$limit + $(density "$dir/scene.yaml") * $reach * $reach / 8 / $soft")
  local shut=0 driven=0 judged=1 rigid=0
  driven "$dir/scene.yaml" && driven=1
  [ $driven = 1 ] && [ "$(drive "$name")" = 0 ] && echo -n " its drive is not known here"
  if [ $driven = 1 ] || [ -n "$tension" ]; then judged=0; fi
  [ -e "$dir/bodies.csv" ] && [ ! -e "$dir/info.solids.json" ] && rigid=1
  closed "$dir/scene.yaml" "$dimensions" && shut=1
  awk -F, -v limit="$limit" -v reach="$reach" -v shut="$shut" -v judged="$judged" -v rigid="$rigid" \
    -v low="$(lowest "$dir/scene.yaml")" -v fall="$(calculate "$gravity * ($top - $floor)")" '
    /^#/ { next }
    $1 == "time" { for (k = 1; k <= NF; ++k) at[$k] = k; next }
    {
      kinetic = $at["kinetic_energy"]
      energy = kinetic + $at["potential_energy"] - low * $at["mass"]
      if (!seen++) { first = $at["particles"]; begin = energy; scale = kinetic + fall * $at["mass"] }
      if ($at["particles"] > 0) rigid = 0
      if (rigid && energy < begin) begin = energy
      if (energy - begin > gained) { gained = energy - begin; when = $1 }
      if (tolower($0) ~ /nan|inf/) none = 1
      if ($at["speed_max"] > fastest) fastest = $at["speed_max"]
      sum += $at["compression_mean"]
      if ($at["compression_mean"] > tightest) tightest = $at["compression_mean"]
      count = $at["particles"]; in_ = $at["emitted"]; out = $at["drained"]; left = $at["left"]
    }
    END {
      if (none) printf " totals that are no numbers"
      if (count != first + in_ - out - left) printf " %d particles lost", first + in_ - out - left - count
      if (shut && left > 0) printf " %d left a closed domain", left
      if (!(sum / seen < limit)) printf " mean compression %.3g %%", 100 * sum / seen
      if (!judged && !(fastest <= reach)) printf " %.3g m/s where %.3g are explained", fastest, reach
      if (judged && !(gained <= 0.02 * scale)) printf " energy grown by %.3g %% at %g s", 100 * gained / scale, when
      printf "\n%d particles (+%d -%d, %d left), compression %.3f %% (most %.3f), %.3g", count, in_, out, left,
        100 * sum / seen, 100 * tightest, fastest
      printf " of %.3g m/s", reach
      if (judged) printf ", energy up to +%.3f %%", 100 * gained / (scale ? scale : 1)
      print ""
    }' "$dir/totals.csv"
}
# The least density of a scene's materials, kg/m^3: water's if it names none.
density() { local rho; rho=$(least density "$1"); echo "${rho:-998.2}"; }
# The potential energy of 1 kg in the lowest place of the domain, J: what leaves it takes no less along, so that the sum
# above it cannot grow by what leaves. 0 for sides that are at infinity, which nothing leaves by.
lowest() {
  awk -v g="$pull" '
    /^domain:/ { in_domain = 1; next }
    /^[a-z]/ { in_domain = 0 }
    in_domain && /^  (low|high):/ { name = $1; sub(/^[^:]*: */, ""); gsub(/[][,]/, " "); split($0, part, " ")
      for (k = 1; k <= 3; ++k) at[name, k] = part[k] }
    END { split(g, pull, " ")
      for (k = 1; k <= 3; ++k) { side = pull[k] < 0 ? at["low:", k] : at["high:", k]
        if (side !~ /inf/) sum -= pull[k] * side }
      print sum + 0 }' "$1"
}

# run NAME FILE SOLVER SPACING DURATION: one run, one line.
run() {
  local name=$1 file=$2 solver=$3 spacing=$4 duration=$5 dir=$work/run status frames wrong shown cpu
  [ -z "$solvers" ] || [[ "$solvers" == *" $solver "* ]] || return
  if [ -n "$(unsuited "$solver")" ]; then
    say "none $name $solver: $(unsuited "$solver" | head -1)"
    return
  fi
  if ! less "$spent" "$budget"; then
    skipped=$((skipped + 1))
    return
  fi
  if [ -n "$keep" ]; then dir=$keep/$name-$solver-$spacing-$duration; else rm -rf "$dir"; fi
  frames=$(awk -v t="$duration" -v fps="$fps" 'BEGIN { n = int(t * fps + 0.5); print (n > 1 ? n : 1) }')
  set -- run "$file" --json --threads "$threads" --autosave 1000000 --set "spacing=$spacing" \
    --set "duration=$duration" --set "solver.pressure=$solver" --set outputs.preview=false \
    --set 'outputs.formats=[vtp]' --set outputs.surface=false --set "outputs.every=$frames"
  if [ -e "$dir/scene.yaml" ]; then
    set -- run "$dir" --resume --json --threads "$threads" --autosave 1000000
  else
    set -- "$@" -o "$dir"
  fi
  echo "mote $*" >> "$log"
  TIMEFORMAT='%U %S'
  cpu=$({ time "$mote" "$@" > "$work/out" 2> "$work/err"; echo $? > "$work/status"; } 2>&1)
  status=$(cat "$work/status")
  cpu=$(calculate "${cpu/ /+}")
  spent=$(calculate "$spent + $cpu")
  if [ "$status" = 2 ] && less "$spacing0" "$spacing"; then  # coarser than scenes are made for
    skipped=$((skipped + 1))
    say "none $name $solver d = $spacing: $(tail -1 "$work/err")"
    return
  fi
  if [ "$status" = 130 ]; then
    say "stopped $name $solver d = $spacing in $dir after $cpu s of CPU"
    exit 130
  fi
  ran=$((ran + 1))
  wrong='' shown=''
  if [ "$status" = 0 ]; then
    examine "$name" "$dir" "$solver" "$duration" > "$work/verdict" 2>> "$work/err"
    wrong=$(head -1 "$work/verdict") shown=$(sed -n 2p "$work/verdict")
    [ -n "$shown" ] || wrong="$wrong the run could not be read"
  else
    wrong=" exit $status: $(tail -1 "$work/err")"
  fi
  local back
  back=$(grep -c 'with steps half as long' "$work/err")
  cat "$work/err" >> "$log"
  [ -n "$wrong" ] && failed=$((failed + 1))
  say "$(printf '%-4s %-16s %-6s d = %-7s %-6s s: %s; %d retries; %.1f s of CPU%s' "$([ -n "$wrong" ] && echo FAIL || echo ok)" \
    "$name" "$solver" "$spacing" "$duration" "$shown" "$back" "$cpu" "${wrong:+ —$wrong}")"
}

# What the scene itself says, and where its particles begin: frame 1 of a run.
look() {
  local dir=$work/look
  rm -rf "$dir"
  "$mote" run "$1" --json --frames 1 --set outputs.preview=false --set 'outputs.formats=[vtp]' \
    --set outputs.surface=false -o "$dir" > "$work/look.out" 2> "$work/look.err" || return 1
  infos "$dir" 0001 2>> "$work/look.err"
  spacing0=$(field spacing "$dir/scene.yaml") duration0=$(field duration "$dir/scene.yaml")
  fps=$(field fps "$dir/scene.yaml") dimensions=$(field dimensions "$dir/scene.yaml")
  own=$(sed -n 's/^  pressure: *//p' "$dir/scene.yaml" | head -1)
  pull=$(sed -n 's/^gravity: *//p' "$dir/scene.yaml" | tr -d '[],')
  case $pull in
    '') pull="0 -9.81 0" ;;
    *\ *) ;;
    *) pull="0 -$pull 0" ;;
  esac
  gravity=$(echo "$pull" | awk '{ for (k = 1; k <= NF; ++k) s += $k * $k; print sqrt(s) }')
  [ -n "$fps" ] || fps=$default_fps
  : "${dimensions:=3}" "${own:=dfsph}"
  speed0=$(key speed_max "$work/look.out")
  local low high
  low=$(for kind in "$dir"/info.*.json; do triple low "$kind"; done | awk 'NF > 1 { print $2 }' | sort -g | head -1)
  high=$(for kind in "$dir"/info.*.json; do triple high "$kind"; done | awk 'NF > 1 { print $2 }' | sort -g | tail -1)
  floor=$(walls "$dir/scene.yaml" | sed -n 2p | cut -d' ' -f1)
  [ "$floor" = -inf ] && floor=${low:-0}
  # An emitter pours from its centre; what it shoots up comes back no faster.
  top=$(sed -n '/^emitters:/,/^[a-z]/s/^    centre: *\[\(.*\)\]$/\1/p' "$dir/scene.yaml" | cut -d, -f2 |
    awk -v top="${high:-$floor}" '{ if ($1 > top) top = $1 } END { print top }')
  # Where all centres are at one height over nothing, there is the domain to fall through.
  less "$floor" "$top" || floor=$(sed -n '/^domain:/,/^[a-z]/s/^  low: *\[\(.*\)\]$/\1/p' "$dir/scene.yaml" | cut -d, -f2)
  [[ "${floor:--inf}" != *inf* ]] || floor=$top
}

default_fps=$("$mote" help scene fps 2> /dev/null | grep -o 'default:\{0,1\} *[0-9.]*' | grep -o '[0-9.]*$' | head -1)
: "${default_fps:=25}"
say "$("$mote" --version), $(uname -m), spacings times $scale, lengths times $length"
for coarse in $coarses; do
  for file in "$here"/scenes/*.yaml "$here"/scenes/*/*.yaml; do
    name=$(basename "$file" .yaml)
    [ -z "$only" ] || [[ "$only" == *" $name "* ]] || continue
    if ! look "$file"; then
      failed=$((failed + 1))
      say "FAIL $name: $(tail -1 "$work/look.err")"
      continue
    fi
    run "$name" "$file" "$own" "$(calculate "$spacing0 * $scale * $coarse")" "$(calculate "$duration0 * $length")"
    [ -n "$(captive "$name")" ] &&
      run "$name" "$file" "$own" "$(calculate "$spacing0 * $scale * $coarse")" "$(captive "$name")"
    [ $coarse = 1 ] || continue
    for solver in dfsph wcsph pcisph; do
      [ "$solver" = "$own" ] || run "$name" "$file" "$solver" "$(calculate "$spacing0 * $scale")" "$duration0"
    done
  done
done
say "$ran runs, $failed failed, $skipped not begun; $(calculate "int($spent)") s of CPU"
[ $failed = 0 ]
