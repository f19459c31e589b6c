#!/bin/sh
# Every C file is laid out as .clang-format says (make format does it).
set -eu
cd "$(dirname "$0")/../.."
git ls-files '*.c' '*.h' | xargs clang-format --dry-run -Werror
