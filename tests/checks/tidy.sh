#!/bin/bash
# tidy.sh BUILD: clang-tidy (.clang-tidy: bugprone, analyzer) finds nothing in src and apps, with the flags of BUILD, asserts,
# and no warnings of the compiler, which the builds have.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$1
log=$(mktemp)
trap 'rm -f "$log"' EXIT
git ls-files 'src/*.c' 'apps/*.c' | xargs -P "$(nproc)" -n 40 clang-tidy -p "$build" --quiet --extra-arg=-w --extra-arg=-DMOTE_ASSERTS --warnings-as-errors='*' > "$log" 2>&1 && exit 0
grep -E ': (error|warning): |Error' "$log" | sort -u || cat "$log"
exit 1
