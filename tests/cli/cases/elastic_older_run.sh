# A run of before 0.1.0, whose elastic particles are in files solids.NNNN, is drawn, meshed, carries meshes and is
# continued like another.
cat > box.yaml <<END
spacing: 0.1
duration: 0.2
fps: 10
domain: {low: [-1, 0, -1], high: [1, 2, 1], y: [wall, open]}
bodies:
  block: {material: jelly, shape: {box: {low: [0.2, 0.1, -0.2], high: [0.6, 0.5, 0.2]}}}
outputs: {preview: false}
END
printf 'v 0.2 0.1 -0.2\nv 0.6 0.1 -0.2\nv 0.4 0.5 0.2\nf 1 3 2\n' > fine.obj
"$MOTE" run box.yaml --quiet --threads 1 -o run > /dev/null || exit 1
see() {
  "$MOTE" render run --preview --quiet --size 96x64 --frames 3 -o $1.png > /dev/null || exit 1
  "$MOTE" mesh run --bodies --quiet -o "$1.%04d.obj" > /dev/null || exit 1
  "$MOTE" skin run --mesh fine.obj --body block --quiet --frames 3 -o $1-fine.obj > /dev/null || exit 1
}
see now
for file in run/elastic.*; do mv "$file" "run/solids.${file#run/elastic.}"; done
sed -i 's/elastic\./solids./g' run/solids.pvd run/run.json
see then
cmp now.png then.png && cmp now.0003.obj then.0003.obj && cmp now-fine.obj then-fine.obj && echo same
"$MOTE" info run > /dev/null && "$MOTE" convert run/solids.0003.vtp last.csv > /dev/null && echo read
"$MOTE" run box.yaml --resume --set duration=0.3s --quiet -o run > /dev/null && ls run | grep '[.]000[34]'
