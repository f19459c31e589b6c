#!/bin/sh
# docs/determinism.md is true of src: qsort, fma, atomics and threads are used in the files of its table and in no others, of
# <math.h> no function is called that has no one correct result, and the page has a link to every golden test.
set -eu
cd "$(dirname "$0")/../.."
page=docs/determinism.md
bad=0

# The code without comments and strings, each line behind the name of its file.
code=$(git ls-files 'src/*.[ch]' 'src/*.inc' | while read -r file; do
  sed -e 's,//.*,,' -e 's/"\([^"\\]\|\\.\)*"/""/g' -e "s,^,$file: ," "$file"
done)
files_with() { printf '%s\n' "$code" | grep -E "$1" | sed 's,: .*,,' | sort -u; }

for function in qsort fma __atomic_store_n pthread_create; do
  called=$(files_with "[^A-Za-z0-9_]$function\\(")
  named=$(grep "^| \`$function\` |" "$page" | grep -o '`src/[^`]*`' | tr -d '`' | sort -u)
  [ "$called" = "$named" ] && continue
  printf '%s: %s is called in\n%s\ninstead of\n%s\n' "$page" "$function" "$called" "$named"
  bad=1
done

# Not calls through a pointer such as env->log().
inexact='(sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|exp|exp2|expm1|log|log2|log10|log1p|pow|cbrt|hypot|erf|erfc|tgamma|lgamma|rand|srand)f?\('
found=$(files_with "(^|[^A-Za-z0-9_>.])$inexact")
[ -z "$found" ] || { echo "$page allows no call of these functions, $inexact: $found"; bad=1; }

for test in tests/golden/*_test.c; do
  grep -q "(../$test)" "$page" || { echo "$page: no link to $test"; bad=1; }
done
exit $bad
