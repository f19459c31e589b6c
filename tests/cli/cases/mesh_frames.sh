# Some of the frames, of a sequence as of a run.
for k in 1 2 3 4 5; do printf "x,y,z\n0,0,0\n0.1,0,0\n0,0.1,0\n0,0,0.1\n0.1,0.1,0.$k\n" > p.000$k.csv; done
"$MOTE" mesh 'p.%04d.csv' -o 's.%04d.ply' --frames 2:5:2 --quiet > /dev/null; ls s.*
"$MOTE" mesh 'p.%04d.csv' -o one.ply --frames 3 --quiet > /dev/null; ls one.ply
"$MOTE" mesh 'p.%04d.csv' -o two.ply --frames 9; echo "status $?"
. "$(dirname "$0")/../small.sh"
"$MOTE" run small.yaml --quiet --frames 3 > /dev/null
"$MOTE" mesh small -o 'c.%04d.svg' --frames 2:3 --quiet > /dev/null; ls c.*
"$MOTE" info small/snapshot.mote | grep -c nan
true
