. "$(dirname "$0")/../small.sh"
"$MOTE" check small.yaml --set spacing=1e-6 --set particles_max=1000000000000
