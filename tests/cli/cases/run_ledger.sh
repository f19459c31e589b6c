# The energy ledger: its columns add up to the change of energy, the same for any number of threads and in a resumed
# run, without influence on the motion; a run keeps its columns.
. "$(dirname "$0")/../small.sh"
"$MOTE" run small.yaml --quiet --set outputs.preview=false -o without > without.txt || exit 1
"$MOTE" run small.yaml --quiet --set outputs.preview=false --ledger --threads 1 -o whole > whole.txt || exit 1
"$MOTE" run small.yaml --quiet --set outputs.preview=false --ledger --threads 3 -o part --frames 3 > /dev/null || exit 1
"$MOTE" run part --quiet --threads 3 --resume > part.txt || exit 1
cmp whole/totals.csv part/totals.csv && echo same table
test "$(sed 's/.*motion//' whole.txt)" = "$(sed 's/.*motion//' without.txt)" && echo same motion
grep -c ledger without/totals.csv without/run.json
awk -F, '
  /^#/ { next }
  /^time/ { for (k = 1; k <= NF; ++k) name[k] = $k; next }
  { energy = sum = 0
    for (k = 1; k <= NF; ++k) {
      if (name[k] == "kinetic_energy" || name[k] == "potential_energy") energy += $k
      if (name[k] !~ /^ledger_/) continue
      sum += $k
      if ($k > largest || -$k > largest) largest = $k < 0 ? -$k : $k
    }
    if ($1 == 0) start = energy }
  END { error = energy - start - sum; print ((largest > 1 && error * error < (1e-9 * largest) ^ 2) ? "closes" : error) }' whole/totals.csv
grep -o '"ledger":{"outside":.*"work_emitters":0}' whole/run.json | tr -cd ':' | wc -c
"$MOTE" run small.yaml --quiet --set outputs.preview=false -o whole --resume
