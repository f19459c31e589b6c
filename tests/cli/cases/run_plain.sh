. "$(dirname "$0")/../small.sh"
"$MOTE" run small.yaml --times && ls small && grep -c . small/totals.csv && head -1 small/probe_corner.csv
grep -o 'timestep="[^"]*"' small/particles.pvd
