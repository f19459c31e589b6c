#!/bin/sh
# The exported symbols of libmote ($1) and libmote-io ($2), static or shared, are those of tests/checks/api.txt. "make api"
# (MOTE_WRITE_API=1) writes the list anew.
set -eu
cd "$(dirname "$0")/../.."
list=tests/checks/api.txt
exported() {
  readelf --wide --syms "$1" |
    awk -v library="$2" '$5 == "GLOBAL" && $6 == "DEFAULT" && $7 != "UND" {print library, $8}' | LC_ALL=C sort -u
}
now=$(exported "$1" libmote; exported "$2" libmote-io)
if [ -n "${MOTE_WRITE_API:-}" ]; then
  echo "$now" > "$list"
  exit 0
fi
if ! echo "$now" | diff "$list" -; then
  echo "the exported symbols (>) are not those of $list (<); if that is intended, run: make api"
  exit 1
fi
