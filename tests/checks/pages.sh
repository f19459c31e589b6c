#!/bin/bash
# Manual pages and completion in shells, as the tool $1 writes them into $2: a page for each command, without warnings
# of man; bash completes commands and options.
set -eu
tool=$1 pages=$2
"$tool" help --pages "$pages"
failed=0
fail() { echo "$*"; failed=1; }

names=$("$tool" help | awk '/^  [a-z]/ {print $1}')
[ "$(echo "$names" | wc -w)" -ge 18 ] || fail "mote help lists too few commands: $names"
for name in $names; do
  grep -q "^mote\\\\-$name " "$pages/man1/mote-$name.1" || fail "mote-$name.1 has no name"
  grep -q "^.BR mote\\\\-$name (1)" "$pages/man1/mote.1" || fail "mote.1 does not list $name"
done
for page in "$pages"/man1/*.1; do
  said=$(LC_ALL=C.UTF-8 man -l --warnings -E UTF-8 "$page" 2>&1 >/dev/null) || fail "$page: man fails"
  [ -z "$said" ] || fail "$page: $said"
done

# What bash offers after these words, the last of which is begun.
complete_words() {
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _mote
  echo "${COMPREPLY[*]}"
}
. "$pages/mote.bash"
[ "$(complete_words mote ren)" = render ] || fail "mote ren: $(complete_words mote ren)"
[ "$(complete_words mote run --res)" = --resume ] || fail "mote run --res: $(complete_words mote run --res)"
[ "$(complete_words mote help anim)" = animate ] || fail "mote help anim: $(complete_words mote help anim)"
[ "$(complete_words mote run dam)" = '' ] || fail "mote run dam: $(complete_words mote run dam)"
# Options that a help page describes are those that the command takes.
for name in $names; do
  for option in $("$tool" help "$name" | grep -o '^  --*[a-z-]*' | tr -d ' '); do
    case " $(complete_words mote "$name" -) " in *" $option "*) ;; *) fail "mote $name does not take $option" ;; esac
  done
done
exit $failed
