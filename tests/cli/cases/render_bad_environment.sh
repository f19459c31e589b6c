. "$(dirname "$0")/../things.sh"
printf '#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 4 +X 8\n\001\002' > short.hdr
"$MOTE" render tetra.obj --environment tetra.obj -o a.png
"$MOTE" render tetra.obj --environment none.hdr -o a.png
"$MOTE" render tetra.obj --environment short.hdr --backdrop dark -o a.png
"$MOTE" render tetra.obj --environment-turn 90 -o a.png
"$MOTE" render tetra.obj --environment short.hdr --preview -o a.png
"$MOTE" render tetra.obj --environment short.hdr -o a.png
