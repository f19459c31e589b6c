#!/bin/sh
# Every relative link of the docs leads to a file; docs/seeds.md has a row for each figure of the table, and for no other.
set -eu
cd "$(dirname "$0")/../.."
bad=0
for page in *.md docs/*.md docs/*/*.md; do
  [ -f "$page" ] || continue
  for link in $(grep -o '](\([^)#]*\)' "$page" | sed 's/^](//' | grep -v '^[a-z]*:' | sort -u); do
    [ -e "$(dirname "$page")/$link" ] || { echo "$page: no such file: $link"; bad=1; }
  done
done
named=$(grep -o 'mote demo --figures [a-z0-9][a-z0-9.-]*' docs/*.md README.md | sed 's/.* //' | sort -u)
rows=$(grep -o 'mote demo --figures [a-z0-9][a-z0-9.-]*' docs/seeds.md | sed 's/.* //' | sort -u)
made=$(sed -n 's/^ *{\.name = "\([^"]*\)".*/\1/p' apps/figures/figure_table.c | sort -u)
for name in $named; do
  echo "$made" | grep -qx "$name" || { echo "docs: mote demo --figures $name: no such figure"; bad=1; }
done
for name in $made; do
  echo "$rows" | grep -qx "$name" || { echo "docs/seeds.md: no row with mote demo --figures $name"; bad=1; }
done
exit $bad
