#!/bin/sh
# Every relative link of the docs leads to a file.
set -eu
cd "$(dirname "$0")/../.."
bad=0
for page in *.md docs/*.md docs/*/*.md; do
  [ -f "$page" ] || continue
  for link in $(grep -o '](\([^)#]*\)' "$page" | sed 's/^](//' | grep -v '^[a-z]*:' | sort -u); do
    [ -e "$(dirname "$page")/$link" ] || { echo "$page: no such file: $link"; bad=1; }
  done
done
exit $bad
