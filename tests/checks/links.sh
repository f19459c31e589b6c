#!/bin/sh
# Layers hold for links too. BUILD is the folder of libmote.a and libmote-io.a (default: build). What an object of a folder
# uses is defined in that folder or above it in src/layers.txt, and a header declares only what its own layer defines.
# The last line counts cycles of calls between files: the strongly connected components of more than one file.
set -eu
cd "$(dirname "$0")/../.."
build=${1:-build}
set -- "$build/libmote.a"
[ ! -e "$build/libmote-io.a" ] || set -- "$@" "$build/libmote-io.a"
{
  find src -name '*.c' | sort | sed 's,^src/,file ,'
  # Declarations begin in the first column.
  find src -name '*.h' -exec grep -H '^[a-z].*mote_' {} + | grep -v ':static ' | sed 's,^src/,declared ,; s,:, ,'
  nm -A "$@" | sed -n 's/^[^:]*:\([^:]*\)\.o:[0-9a-f ]* \([A-Z]\) \(.*\)/symbol \1 \2 \3/p'
} | awk "$(cat tests/checks/layers.awk)"'
  BEGIN { read_layers() }
  $1 == "file" {
    name = $2; sub(/.*\//, "", name)
    path_of[name] = $2
    if (!is_layer(folder_of($2))) { print "src/" folder_of($2) ": not in src/layers.txt"; bad = 1 }
  }
  $1 == "declared" {
    header = $2; $1 = $2 = ""
    while (match($0, /mote_[a-z0-9_]+/)) {
      name = substr($0, RSTART, RLENGTH)
      declared[name] = declared[name] " " header
      $0 = substr($0, RSTART + RLENGTH)
    }
  }
  $1 == "symbol" && $3 == "U" { user[++uses] = path_of[$2]; used[uses] = $4 }
  $1 == "symbol" && $3 != "U" { home[$4] = path_of[$2] }

  # Tarjan: strongly connected components, by depth first.
  function visit(v,  k, w, size) {
    number[v] = low[v] = ++visited
    stack[++top] = v; waits[v] = 1
    for (k = 1; k <= calls[v]; ++k) {
      w = called[v, k]
      if (!(w in number)) { visit(w); if (low[w] < low[v]) low[v] = low[w] }
      else if (waits[w] && number[w] < low[v]) low[v] = number[w]
    }
    if (low[v] != number[v]) return
    cycle = ""
    do { w = stack[top--]; waits[w] = 0; ++size; cycle = " " w cycle } while (w != v)
    if (size == 1) return
    print "cycle of " size " files:" cycle
    ++cycles; in_cycles += size
    if (size > largest) largest = size
  }

  END {
    if (uses == 0) { print "no symbols in the libraries"; exit 1 }
    for (name in home) {
      n = split(declared[name], at, " ")
      for (k = 1; k <= n; ++k)
        if (is_layer(folder_of(at[k])) && rank_of[folder_of(at[k])] != rank_of[folder_of(home[name])]) {
          print "src/" at[k] ": declares " name ", which src/" home[name] " defines"; bad = 1
        }
    }
    for (k = 1; k <= uses; ++k) {
      from = user[k]
      if (!(used[k] in home)) continue
      to = home[used[k]]
      # libmote-io may use all that libmote exports: the linker checks that.
      if (library_of[folder_of(from)] == library_of[folder_of(to)] && !may_use(folder_of(from), folder_of(to))) {
        print "src/" from ": uses " used[k] ", which src/" to " defines (src/layers.txt)"; bad = 1
      }
      if (from != to && !((from, to) in edge)) { edge[from, to] = 1; called[from, ++calls[from]] = to }
    }
    for (name in path_of) if (!(path_of[name] in number)) visit(path_of[name])
    printf "call cycles: %d, files in them: %d, files of the largest: %d\n", cycles, in_cycles, largest
    exit bad
  }'
