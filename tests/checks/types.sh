#!/bin/sh
# Every type of src, include and apps has a name of its own. Types that only one .c file sees may share a name;
# they have no prefix.
set -eu
cd "$(dirname "$0")/../.."
repeated=$(awk '
  function define(name) {
    if (name !~ /^mote_/ && FILENAME !~ /\.h$/) return
    if (name in place) print name ": " place[name] ", " FILENAME
    place[name] = FILENAME
  }
  /^(struct|union|enum) [a-z0-9_]+ \{/ { define($2) }
  /^}.*;|^typedef .*\{.*\} .*;/ { name = $0; sub(/.*} */, "", name); sub(/;.*/, "", name); if (name != "") define(name) }
  /^typedef [^{]*;/ {
    name = $0
    sub(/ *__attribute__.*/, "", name)
    if (name ~ /\(\*/) sub(/.*\(\*/, "", name)  # pointer to a function
    sub(/[;()].*/, "", name)
    sub(/.*[ *]/, "", name)
    if ($2 !~ /^(struct|union|enum)$/ || $3 != name) define(name)  # "typedef struct x x;" only announces it
  }' $(git ls-files 'src/*.[ch]' 'include/*.h' 'apps/*.[ch]'))
if [ -n "$repeated" ]; then
  printf 'types defined twice:\n%s\n' "$repeated"
  exit 1
fi
