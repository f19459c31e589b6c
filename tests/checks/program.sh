#!/bin/sh
# The C program of docs/deforming.md compiles without warnings and runs: program.sh CC LIBMOTE.a WORK
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$3"
sed -n '/^```c$/,/^```$/p' "$source/docs/deforming.md" | sed '1d;$d' > "$3/program.c"
"$1" -std=c17 -O2 -Wall -Wextra -Werror -I"$source/include" "$3/program.c" "$2" -lm -lpthread -o "$3/program"
"$3/program"
