. "$(dirname "$0")/../small.sh"
"$MOTE" run small.yaml -o run --quiet > /dev/null 2>&1
"$MOTE" mesh run -o 'a.%04d.obj'
