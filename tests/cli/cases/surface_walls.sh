# The surface of a pool goes up to the walls of its tank, whoever makes it; not where that is not wanted.
. "$(dirname "$0")/../pool.sh"
"$MOTE" run pool.yaml -o run --quiet > /dev/null
"$MOTE" mesh run -o 'mesh.%04d.ply' --fields velocity --json | grep -o '"particles":[0-9]*' | sort -u
for f in run/surface.0001.ply run/surface.0002.ply mesh.0001.ply mesh.0002.ply; do fills_tank "$f"; done
echo rounded
"$MOTE" mesh run -o 'round.%04d.ply' --no-walls --quiet > /dev/null
"$MOTE" run pool.yaml -o other --set outputs.surface.walls=false --frames 1 --quiet > /dev/null
for f in round.0002.ply other/surface.0001.ply; do fills_tank "$f" | grep -o 'no walls'; done
