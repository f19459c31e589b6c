#!/bin/sh
# bad_scenes.sh MOTE: `mote check` answers every scene of tests/scenes_bad with status 2 and the messages that
# its .expect holds.
set -u
tool=$1
cd "$(dirname "$0")/../scenes_bad" || exit 1
bad=0 count=0
for scene in *.yaml; do
  count=$((count + 1))
  found=$("$tool" check "$scene" 2>&1 >/dev/null)
  status=$?
  expected=$(sed 's/^/mote: /' "${scene%.yaml}.expect")
  [ "$status" = 2 ] && [ "$found" = "$expected" ] && continue
  echo "$scene: status $status"
  echo "  found:    $found"
  echo "  expected: $expected"
  bad=1
done
echo "$count scenes"
exit $bad
