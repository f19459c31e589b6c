#!/bin/bash
# same_bits.sh MOTE [OTHER] [--frames N] [--only SCENE]... [--motion] [--recorded]
# Runs the first frames (3) of every scene of scenes/ with every solver three times: straight on one thread; stopped
# before the last and resumed on three; by OTHER (default: MOTE), the tool built by another compiler, on seven. All
# three must end with the same state hash; with --motion (OTHER is another version) with the same motion hash; with
# --recorded straight runs only, whose motion hash must be that of tests/golden/scene_motion.txt. One line each.
# exit status: 0 all the same, 1 some are not, or failed, 2 usage
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
usage() { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
frames=3 only='' tools=() hash=state recorded=
while [ $# -gt 0 ]; do
  case $1 in
    --frames) [ $# -ge 2 ] && [ "$2" -ge 3 ] || usage; frames=$2; shift ;;
    --only) [ $# -ge 2 ] || usage; only="$only $2 "; shift ;;
    --motion) hash=motion ;;
    --recorded) hash=motion recorded=$here/tests/golden/scene_motion.txt ;;
    -*) usage ;;
    *) tools+=("$(command -v "$1")") || usage ;;
  esac
  shift
done
[ ${#tools[@]} = 1 ] || [ ${#tools[@]} = 2 ] || usage
mote=${tools[0]} other=${tools[-1]}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
quick=(--quiet --set outputs.preview=false --set 'outputs.formats=[vtp]' --set outputs.surface=false)
state() { sed -n "s/.* $hash \([0-9a-f]*\).*/\1/p"; }

# go TOOL THREADS FRAMES DIR: runs $scene with $changes, prints the state it ends in.
go() { "$1" run "$scene" "${quick[@]}" "${changes[@]}" --threads "$2" --frames "$3" -o "$work/$4" 2> "$work/err" | state; }
# The reason why a scene cannot be run as changed, if it says so itself: "" where it can.
refused() {
  "$mote" check "$scene" "${changes[@]}" > /dev/null 2> "$work/err"
  [ $? = 2 ] && tail -1 "$work/err"
}
failed=0 same=0
resume_and_go() {
  go "$mote" 1 $((frames - 1)) resumed > /dev/null
  resumed=$("$mote" run "$work/resumed" --resume "${quick[@]}" --frames "$frames" --threads 3 2>> "$work/err" | state)
  elsewhere=$(go "$other" 7 "$frames" elsewhere)
}
compare() {
  local straight resumed elsewhere
  rm -rf "$work"/straight "$work"/resumed "$work"/elsewhere
  straight=$(go "$mote" 1 "$frames" straight)
  if [ -n "$recorded" ]; then
    resumed=$straight elsewhere=$(sed -n "s/^$name $solver //p" "$recorded")
  else
    resume_and_go
  fi
  if [ -n "$straight" ] && [ "$straight" = "$resumed" ] && [ "$straight" = "$elsewhere" ]; then
    same=$((same + 1))
    echo "same $name $solver: $straight"
  else
    failed=$((failed + 1))
    echo "FAIL $name $solver: straight ${straight:-none}, resumed ${resumed:-none}, elsewhere ${elsewhere:-none} $(tail -1 "$work/err")"
  fi
}

for scene in "$here"/scenes/*.yaml "$here"/scenes/*/*.yaml; do
  name=$(basename "$scene" .yaml)
  [ -z "$only" ] || [[ "$only" == *" $name "* ]] || continue
  for solver in dfsph wcsph pcisph; do
    changes=(--set "solver.pressure=$solver")
    if [ -n "$(refused)" ]; then
      echo "none $name $solver: $(refused)"
    else
      compare
    fi
  done
done
echo "$same the same, $failed not"
[ $failed = 0 ]
