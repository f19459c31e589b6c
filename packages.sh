#!/bin/sh
# packages.sh check|install build|deb|test|all: names the packages of packages.txt that are missing, or installs them.
set -eu
cd "$(dirname "$0")"
action=$1 level=$2
if ! command -v dpkg-query >/dev/null 2>&1; then
  echo "mote: this is no Debian or Ubuntu machine; packages.txt lists what is needed" >&2
  exit 0
fi

architecture=$(dpkg --print-architecture)
case $level in
  build) tiers=build ;; deb) tiers='build|deb' ;; test) tiers='build|test' ;; all) tiers='build|deb|test|all' ;;
esac
is_installed() { dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }

# Of names with "|" between them any does; the first that this release has is installed.
missing=
for entry in $(awk -v tiers="^($tiers)$" '$1 ~ tiers {print $2}' packages.txt); do
  name=${entry%%\?*}
  case $entry in *\?*) [ "${entry#*\?}" = "$architecture" ] || continue ;; esac
  found=
  for one in $(echo "$name" | tr '|' ' '); do ! is_installed "$one" || found=$one; done
  [ -n "$found" ] || missing="$missing $name"
done
# A newer Node.js from elsewhere, with its npm, does as well as Debian's.
for one in node:nodejs npm:npm; do
  if command -v "${one%%:*}" >/dev/null 2>&1; then missing=$(echo "$missing " | sed "s/ ${one#*:} / /"); fi
done
missing=$(echo $missing)
[ -n "$missing" ] || exit 0

first_known() {
  for one in $(echo "$1" | tr '|' ' '); do
    if apt-cache show "$one" >/dev/null 2>&1; then echo "$one"; return; fi
  done
  echo "${1%%|*}"
}

if [ "$action" = check ]; then
  missing=$(for name in $missing; do echo "${name%%|*}"; done | tr '\n' ' ')
  echo "mote: missing packages: $missing" >&2
  echo "mote: install them with: apt-get install $missing   (as root; make demo and make test do it for you)" >&2
  exit 1
fi
as_root=
[ "$(id -u)" = 0 ] || as_root=sudo
$as_root apt-get update -qq
missing=$(for name in $missing; do first_known "$name"; done | tr '\n' ' ')
echo "mote: installing missing packages: $missing"
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
