# Motion blur of a run whose block slides: its picture differs from a sharp one; wrong options are named; 2D particles have an area.
cat > slide.yaml <<'SCENE'
spacing: 0.1
duration: 0.02
fps: 50
gravity: [0, 0, 0]
domain: {low: [0, 0, 0], high: [1, 1, 1]}
bodies:
  block: {shape: {box: {low: [0.2, 0.2, 0.2], high: [0.5, 0.5, 0.5]}}, velocity: [8, 0, 0]}
outputs: {size: [64, 64], preview: false}
SCENE
sed 's/, 0, 0\]/, 0]/; s/low: \[0, 0\], high: \[1, 1, 1\]/low: [0, 0], high: [1, 1]/; s/spacing/dimensions: 2\nspacing/; s/\[0.2, 0.2, 0.2\]/[0.2, 0.2]/; s/\[0.5, 0.5, 0.5\]/[0.5, 0.5]/' slide.yaml > flat.yaml
"$MOTE" run slide.yaml --quiet > run.log && "$MOTE" run flat.yaml --quiet >> run.log || cat run.log
render() { "$MOTE" render "$@" --size 48x36 --samples 2 --frames 1 --quiet --overwrite; }
render slide --as surface -o sharp.png
render slide --as surface --shutter 0.5 -o blurred.png
render slide --shutter 0.5 --aperture 0.05 --focus 2 --backdrop '#102030' --sun 1,1,0 --exposure 1.2 --noise 0 --view domain -o balls.png
cmp -s sharp.png blurred.png || echo blurred
render flat --as surface -o area.png
render flat --as surface --shutter 1 -o no.png
render slide --shutter 0.5 --preview -o no.png
render slide --backdrop mauve -o no.png
render slide --backdrop '#12' -o no.png
render slide --view all -o no.png
render slide --sun 0,0,0 -o no.png
printf 'x,y,z\n0,0,0\n1,0,0\n0,1,0\n0,0,1\n1,1,1\n' > still.csv
render still.csv --shutter 0.5 -o no.png
[ ! -e no.png ] && exit 0
