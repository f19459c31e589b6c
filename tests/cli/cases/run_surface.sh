. "$(dirname "$0")/../box.sh"
"$MOTE" run box.yaml -o run --json 2>&1 | grep -o '"surfaces":[0-9]' ; ls run | grep surface
grep -o 'timestep="[^"]*"' run/surface.pvd
"$MOTE" info run/surface.0003.ply --json | grep -oE '"(time|name)":[^,]*'
