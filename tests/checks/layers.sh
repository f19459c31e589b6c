#!/bin/sh
# The include orders of src/layers.txt and apps/layers.txt, the tool on the public API alone, file names unique in the tree.
set -eu
cd "$(dirname "$0")/../.."
find src \( -name '*.[ch]' -o -name '*.inc' \) -exec grep -Hn '^#include "' {} + | awk -F'[:"]' "$(cat tests/checks/layers.awk)"'
  BEGIN { read_layers() }
  {
    from = folder_of(substr($1, 5)); to = folder_of($4)
    if ($4 == "base/tuned.h") next  # macros without a library
    if (!is_layer(from)) { print "src/" from ": not in src/layers.txt"; bad = 1 }
    else if (!is_layer(to)) { print $0 ": includes are written \"folder/file.h\""; bad = 1 }
    else if (!may_use(from, to)) { print $0 ": " from " may not include " to " (src/layers.txt)"; bad = 1 }
  }
  END { exit bad }'
find apps -name '*.[ch]' -exec grep -Hn '^#include "' {} + | awk -F: '
  BEGIN {
    while ((getline line < "apps/layers.txt") > 0) {
      split(line, word, " ")
      if (word[1] != "#") rank[word[1]] = ++count
    }
  }
  {
    from = $1; sub("^apps/", "", from); sub("/[^/]*$", "", from)
    split($3, quoted, "\""); to = quoted[2]
    if (!sub("/[^/]*$", "", to)) to = "."
    if (!(from in rank)) { print "apps/" from ": not in apps/layers.txt"; bad = 1 }
    else if (!(to in rank)) { print $0 ": apps include <mote/...> and \"folder/file.h\" from apps"; bad = 1 }
    else if (rank[to] > rank[from]) { print $0 ": " from " may not include " to " (apps/layers.txt)"; bad = 1 }
  }
  END { exit bad }'
repeated=$(git ls-files '*.c' '*.h' | sed 's,.*/,,' | sort | uniq -d)
if [ -n "$repeated" ]; then
  echo "file names that stand twice in the tree: $repeated"
  exit 1
fi
# Threads are those of src/base/pool.c; the compilers are told of `omp simd` only and would skip any other pragma silently.
if git grep -n '# *pragma omp' -- 'src/*' 'apps/*' 'bench/*' | grep -v 'pragma omp simd'; then
  echo 'no pragma of OpenMP but simd: loops over threads are mote_parallel_for (src/base/parallel.h)'
  exit 1
fi
