#!/bin/sh
# docs/architecture.md and CONTRIBUTING.md name only files, folders and functions that exist; the list of folders is that
# of src/layers.txt and the list of headers that of include/mote; some questions are answered by at most three files each.
# No stage calls another stage, as architecture.md says; docs/testing.md names only tests and validation cases that exist.
set -eu
cd "$(dirname "$0")/../.."
page=docs/architecture.md
bad=0
complain() {
  echo "$1"
  bad=1
}

# Words in backquotes, one a line; `NAME` and `<folder>` stand for any name.
names_of() {
  sed -e '/^```/,/^```/d' "$1" | grep -o '`[^`]*`' | tr -d '`' | tr ' ,;:()' '\n\n\n\n\n\n' | sed -e 's,<[a-z]*>,*,g' -e 's,NAME,*,g' | sort -u
}

# FILE: the name of a file or folder. A name without a folder may stand anywhere in the tree, one such as fluid/dfsph.c
# under src, one such as validation.md or theory/bodies.md under docs.
tree=$(git ls-files)
exists() {
  for at in "$1" "src/$1" "docs/$1" "docs/theory/$1" "include/$1" "build/$1"; do
    for match in $at; do [ -e "$match" ] && return 0; done
  done
  pattern=$(printf '%s' "$1" | sed -e 's,[.],[.],g' -e 's,[*],[^/]*,g')
  echo "$tree" | grep -q "\(^\|/\)$pattern\$"
}

for text in "$page" CONTRIBUTING.md; do
  for name in $(set -f; names_of "$text"); do
    case $name in
      build* | tests/unit-* | -* | */) [ "${name%/}" = "$name" ] || exists "$name" || complain "$text: no such folder: $name" ;;
      *.c | *.h | *.inc | *.txt | *.sh | *.md | *.py | *.patch | *.yaml | src/* | apps/* | include/* | tests/* | scenes/* | bench/* | docs/*)
        exists "$name" || complain "$text: no such file: $name" ;;
      mote_* | MOTE_*)
        git grep -qw "$name" -- src include apps cmake CMakeLists.txt tests/unit || complain "$text: no such name: $name" ;;
    esac
  done
done

# The list of folders.
list=$(sed -n '/^```/,/^```/p' "$page")
folders=$(awk '!/^#/ { for (k = 2; k <= NF; ++k) print $k }' src/layers.txt | tr + '\n' | sed 's,/.*,,' | sort -u)
listed=$(echo "$list" | grep '^  [a-z]*/' | sed 's,  \(  *\)*[^a-z/ ].*,,; s,   .*,,' | grep -o '[a-z_]*/' | tr -d / | sort)
[ "$folders" = "$listed" ] || complain "$page: folders of src: $(echo $listed) instead of $(echo $folders)"
headers=$(ls include/mote | sort)
named=$(echo "$list" | sed -n '/^include\/mote/,/^src\//p' | grep -o '[a-z_]*\.h' | sort -u)
[ "$headers" = "$named" ] || complain "$page: headers: $(echo $named) instead of $(echo $headers)"
for name in $(echo "$list" | grep -o '^[a-z/]*/' | sort -u); do [ -d "$name" ] || complain "$page: no such folder: $name"; done

# Answers of at most three files.
while IFS= read -r question; do
  answer=$(grep -F "| $question |" "$page") || { complain "$page: no answer to: $question"; continue; }
  files=$(echo "$answer" | grep -o '`[^`]*\.[a-z]*`' | sort -u | wc -l)
  [ "$files" -ge 1 ] && [ "$files" -le 3 ] || complain "$page: $files files instead of one to three: $question"
done <<END
where does a crack grow?
where does a fragment get its mesh?
where is a command carried out?
what does each constant of the surface do?
END

# Tests: unit/geom/shape_fill, cli/run_plain, check/physics; validation cases of the table: body-spin.
scripts=$(grep -o 'mote_script_test([^ ]*' cmake/tests.cmake | sed -e 's/.*(//' -e 's/\${[a-z]*}/*/g' | grep -v '/\*$')
checks=$(sed -n 's/^foreach(check \(.*\))$/\1/p' cmake/tests.cmake | tr ' ' '\n' | sed 's,^,check/,')
test_exists() {
  [ -e "tests/$1_test.c" ] || [ -e "tests/cli/cases/${1#cli/}.sh" ] || [ -d "tests/$1" ] || (
    set -f
    for pattern in $scripts $checks; do
      case $1 in $pattern) exit 0 ;; esac
    done
    exit 1
  )
}
for name in $(names_of docs/testing.md | grep -E '^(unit|property|golden|cli|check|slow|validate)/[a-z_/0-9]+$'); do
  test_exists "$name" || complain "docs/testing.md: no such test: $name"
done
for name in $(sed -n '/^| fault | test |/,/^$/p' docs/testing.md | grep -o '`[a-z][a-z]*-[a-z-]*`' | tr -d '`' | sort -u); do
  git grep -qF "\"$name\"" -- apps/validate || complain "docs/testing.md: no such validation case: $name"
done

calls=$(grep -n 'mote_stage_[a-z_]*(' src/stages/*.c src/kinds/*/*.c | grep -v ':mote_result mote_stage_' || true)
[ -z "$calls" ] || complain "stages call each other: $calls"
exit $bad
