. "$(dirname "$0")/../block.sh"
for n in 8 9 10; do block 0.$n > "frame.$n.csv"; done
"$MOTE" mesh 'frame.*.csv' -o 'surface.%04d.vtp' --quiet | grep wrote | cut -d' ' -f2; ls surface*
grep -o 'timestep=.*' surface.pvd
"$MOTE" info surface.0009.vtp | grep -E 't =|heat'
mkdir out && "$MOTE" mesh frame.%d.csv -o out --format ply --quiet > log && ls out
