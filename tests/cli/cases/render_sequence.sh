. "$(dirname "$0")/../things.sh"
for k in 1 2 3 4 5; do cp tetra.obj f.000$k.obj; done
"$MOTE" render --quiet f.%04d.obj --frames 3::2 --preview --size 64x36 -o out && echo out/* && rm out/render.0003.png
"$MOTE" render --quiet "f.*.obj" --frames 3::2 --preview --size 64x36 -o out --resume && size_of out/render.0003.png
