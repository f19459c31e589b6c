# An image on a mesh with texture coordinates; meshes without, and particles, are refused; the camera's blur from a scene.
. "$(dirname "$0")/../things.sh"
printf 'v -1 0 0\nv 1 0 0\nv 1 2 0\nv -1 2 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nf 1/1 2/2 3/3 4/4\n' > card.obj
render() { "$MOTE" render "$@" --size 48x36 --samples 2 --quiet --overwrite; }
render card.obj -o plain.png
render card.obj --texture plain.png -o card.png
cmp -s plain.png card.png || echo textured
render tetra.obj --texture plain.png -o no.png
render card.obj --texture card.obj -o no.png
printf 'x,y,z\n0,0,0\n1,0,0\n0,1,0\n0,0,1\n1,1,1\n' > some.csv
render some.csv --texture plain.png -o no.png
render card.obj --texture plain.png --preview -o no.png
cat > slide.yaml <<'SCENE'
spacing: 0.1
duration: 0.02
fps: 50
gravity: [0, 0, 0]
domain: {low: [0, 0, 0], high: [1, 1, 1]}
bodies:
  block: {shape: {box: {low: [0.2, 0.2, 0.2], high: [0.5, 0.5, 0.5]}}, velocity: [8, 0, 0]}
outputs:
  size: [64, 64]
  preview: false
  camera: {shutter: 0.5, aperture: 2cm, focus: 2m}
SCENE
"$MOTE" run slide.yaml --quiet > run.log || cat run.log
render slide --frames 1 -o blurred.png
render slide --frames 1 --shutter 0 --aperture 0 -o sharp.png
cmp -s sharp.png blurred.png || echo blurred
render slide --frames 1 --preview -o quick.png
sed -i 's/shutter: 0.5/shutter: 11/' slide.yaml
"$MOTE" check slide.yaml
[ ! -e no.png ] && exit 0
