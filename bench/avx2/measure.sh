#!/bin/bash
# Dam breaks on x86-64: the baseline against AVX2, 1 and 16 threads; hashes must be the same. Needs nothing but a C
# compiler (no CMake, no packages); without one, takes .scratch/dam_time-x86_64. At most 8 minutes.
cd "$(dirname "$0")/../.."
out=${OUT:-/tmp}/dam_time
work=$(mktemp -d)
cc=$(command -v gcc || command -v cc || command -v clang)
grep -m1 'model name' /proc/cpuinfo; nproc; grep -o -m1 -w avx2 /proc/cpuinfo; uptime
began=$SECONDS
if [ -n "$cc" ]; then
  "$cc" --version | head -1
  flags="-std=c17 -ffp-contract=off -fno-math-errno -fno-trapping-math -fopenmp-simd -w -Iinclude -Isrc -Ibench"
  for d in base num geom scene particles search approx material elastic contact pairs fluid mesh surface things state matter stages world; do
    o=-O2; case $d in elastic|contact|pairs|fluid) o=-O3 ;; esac
    for f in src/$d/*.c; do echo "$o $f $work/$(basename "$f" .c).o"; done
  done | xargs -P "$(nproc)" -L1 bash -c '"'"$cc"'" '"$flags"' -DMOTE_THREADS $0 -c $1 -o $2'
  "$cc" $flags -O2 bench/avx2/dam_time.c bench/bench_dam.c "$work"/*.o -o "$out" -lm -lpthread || cc=
fi
[ -n "$cc" ] || cp .scratch/dam_time-x86_64 "$out"
chmod +x "$out"
echo "built in $((SECONDS - began)) s"
pair() {  # TIMES ARGUMENTS...: both, alternately
  local n=$1 k; shift
  for ((k = 0; k < n; ++k)); do
    [ $((SECONDS - began)) -lt 450 ] || { echo "out of time: $*"; return; }
    MOTE_BASELINE=1 "$out" "$@"
    "$out" "$@"
  done
}
all=$(nproc); [ "$all" -le 16 ] || all=16
pair 5 37 0.5 100000 $all fast dfsph     # dam50k as mote bench has it
pair 2 37 0.5 100000 1 fast dfsph
pair 3 59 0.3 100000 $all fast dfsph     # dam200k
pair 2 59 0.3 15 1 fast dfsph
pair 3 37 0.2 40 $all default dfsph      # corrected gradients, support 3 d
pair 1 37 0.2 15 1 default dfsph
pair 2 59 0.2 20 $all default dfsph
pair 1 37 0.2 40 $all fast pcisph        # without stored gradient factors: no difference expected
pair 1 37 0.2 40 $all fast wcsph
pair 1 59 0.3 15 1 fast dfsph
echo "all in $((SECONDS - began)) s"
