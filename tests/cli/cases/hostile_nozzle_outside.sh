# A nozzle out of the domain is no error, but check wonders.
. "$(dirname "$0")/../small.sh"
"$MOTE" check small.yaml --set 'emitters={jet: {centre: [5, 1], direction: [1, 0], radius: 0.2, speed: 1}}' > out
