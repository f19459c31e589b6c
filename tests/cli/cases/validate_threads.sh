# Results do not depend on the number of threads.
"$MOTE" validate kernels sph mls-unity --quick --threads 1 > one
"$MOTE" validate kernels sph mls-unity --quick --threads 7 > seven
cmp one seven
