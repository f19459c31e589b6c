# A pipe as a scene, an include or a mesh is refused instead of waited for; a scene may come out of a pipe of the shell.
. "$(dirname "$0")/../things.sh"
mkfifo pipe
printf 'include: pipe\nspacing: 0.1\n' > a.yaml
timeout 10 "$MOTE" check a.yaml; echo "status $?"
printf 'spacing: 0.1\nbodies: {a: {shape: {mesh: {file: pipe}}}}\n' > b.yaml
timeout 10 "$MOTE" check b.yaml; echo "status $?"
"$MOTE" check <(printf 'spacing: 0.1\nbodies: {a: {shape: {box: {low: [0, 0, 0], high: [1, 1, 1]}}}}\n') > /dev/null 2>&1; echo "status $?"
mkfifo pipe.ply
for command in "check pipe" "run /dev/zero" "info pipe.ply" "convert pipe.ply x.vtp" "shatter pipe.ply -o x.glb" \
  "deform pipe.ply pipe -o x.ply" "deform tetra.obj pipe -o x.ply" "animate tetra.obj pipe -o x.glb" "shatter tetra.obj --by pipe.ply -o x.glb" \
  "render tetra.obj --environment pipe -o x.png" "run dam_break -o r --commands pipe"; do timeout 10 "$MOTE" $command; echo "status $?"; done
test -e r && echo "r is left"
true
