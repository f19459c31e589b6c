# A collider over a periodic side is not repeated: check says so.
. "$(dirname "$0")/../small.sh"
"$MOTE" check small.yaml --set domain.x=periodic --set 'colliders={post: {shape: {sphere: {centre: [2, 1.5], radius: 0.3}}}}' > out
