#!/bin/sh
# Commits say why, as CONTRIBUTING.md asks: summaries `area: what` of at most 72 letters, and a body. Merges are exempt, and
# mechanical renames (`rename: ...`) need no body. Of commits since the date $1, by default that of this rule; skipped in
# sources without a history. One that was merged with a summary of 75 letters stays as it is.
set -eu
cd "$(dirname "$0")/../.."
since=${1:-2026-11-19}
git rev-parse -q --verify HEAD > /dev/null 2>&1 || { echo 'skipped: no git history'; exit 0; }
bad=0
for commit in $(git log --no-merges --since="$since 00:00" --format=%H); do
  summary=$(git log -1 --format=%s "$commit")
  why=
  case $summary in
    rename:* | Merge\ *) continue ;;
    'tests, docs: a turning disc never gains energy once its packing is settled') continue ;;
    [a-z]*:\ *) ;;
    *) why='the summary has no area' ;;
  esac
  [ ${#summary} -le 72 ] || why='the summary is longer than 72 letters'
  git log -1 --format=%b "$commit" | grep -q . || why='no body that says why'
  [ -z "$why" ] || { echo "$(git log -1 --format=%h "$commit") $summary: $why"; bad=1; }
done
exit $bad
