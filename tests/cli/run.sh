#!/bin/bash
# run.sh MOTE CASE.sh: runs the script with the tool as $MOTE in an empty directory and holds what it printed
# against CASE.stdout.exact or .stdout.glob, CASE.stderr.glob (each where it exists) and CASE.exit (0 without it).
set -u
export MOTE=$1
case=${2%.sh}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$work" && bash "$case.sh") > "$work.out" 2> "$work.err"
status=$?
trap 'rm -rf "$work" "$work.out" "$work.err"' EXIT
failed=0
expected=$(cat "$case.exit" 2>/dev/null || echo 0)
if [ "$status" != "$expected" ]; then
  echo "exit status $status, expected $expected"
  failed=1
fi
matches() { [[ "$(cat "$1")" == $(cat "$2") ]]; }
for stream in out err; do
  exact=$case.std$stream.exact glob=$case.std$stream.glob
  if [ -f "$exact" ] && ! diff "$exact" "$work.$stream"; then failed=1; fi
  if [ -f "$glob" ] && ! matches "$work.$stream" "$glob"; then
    echo "std$stream does not match $(basename "$glob"):"
    cat "$work.$stream"
    failed=1
  fi
done
exit $failed
