#!/bin/sh
# Numbers of the tree against tests/checks/budgets.txt: they may only fall. BUILD is the folder of the libraries, for
# links.sh (default: build).
set -eu
cd "$(dirname "$0")/../.."
build=${1:-build}

sources=$(find src -name '*.[ch]' -o -name '*.inc')
links=$(tests/checks/links.sh "$build" | tail -n 1)  # "call cycles: 17, files in them: 83, files of the largest: 23"
# Tuned constants: rows of tables. A real value elsewhere says with its comment's first word what else it is (docs/tuning.md), also
# on a line of its own, behind a backslash.
tuned=$(awk '
  { line = line $0 }
  sub(/\\$/, "", line) { next }
  line ~ /^TUNED[A-Z_]*\(/ { print "TUNED " line }
  line ~ /^(#define +[A-Za-z_][A-Za-z0-9_]* +|static const (float|double) [A-Za-z_][A-Za-z0-9_]* = )\(?-?([0-9]+\.|\.[0-9]|[0-9]+[eE][-+]?[0-9])/ &&
    line !~ /\/\/ (exact|rounding|range|mark|physical)(:| *$)/ && line !~ /\/\/ cited: .*[12][0-9][0-9][0-9]/ { print FILENAME ": " line }
  { line = "" }' $sources)
if echo "$tuned" | grep -v '^TUNED '; then
  echo 'constants that are neither in a table nor said to be exact, rounding, range, mark, physical or cited (with a year)'
  exit 1
fi
found=$(
  echo "src_lines $(cat $sources | wc -l)"
  echo "tuned_constants $(echo "$tuned" | wc -l)"
  echo "$links" | sed 's/call cycles: \(.*\), files in them: \(.*\), files of the largest: \(.*\)/call_cycle_files \2\ncall_cycle_largest \3/'
  echo "folder_files $(find src -type f | sed 's,/[^/]*$,,' | sort | uniq -c | sort -n | tail -n 1 | awk '{ print $1 }')"
  echo "files_naming_kinds $(git grep -lE 'MOTE_[A-Z]+_(FLUID|RIGID|ELASTIC|LATTICE)\b' -- src apps ':!src/kinds' | wc -l)"
)
echo "$found" | awk '
  BEGIN {
    while ((getline line < "tests/checks/budgets.txt") > 0)
      if (line !~ /^#/ && split(line, word, " ") >= 2) most[word[1]] = word[2]
  }
  !($1 in most) { print "tests/checks/budgets.txt: no budget of " $1; bad = 1; next }
  { seen[$1] = 1 }
  $2 > most[$1] { print $1 ": " $2 ", above its budget of " most[$1] " (tests/checks/budgets.txt)"; bad = 1 }
  $2 < most[$1] { print $1 ": " $2 "; lower its budget of " most[$1] " in tests/checks/budgets.txt" }
  END {
    for (name in most) if (!(name in seen)) { print name ": not measured"; bad = 1 }
    exit bad
  }'
