# The number of steps that check tells is that of the run within a factor of 1.5: a falling jet, a drop, a dam of WCSPH, a ball of jelly
# that falls and comes to rest, a stone that sinks in a tube full of water, which cannot fall. Check tries the first steps for a while, more of them on a faster machine: the ball is small
# enough to be tried to its end on any.
cat > jet.yaml <<'SCENE'
dimensions: 2
spacing: 0.03
duration: 0.8
domain: {low: [0, 0], high: [1, 2], x: wall, y: [wall, open]}
emitters: {tap: {centre: [0.5, 1.9], radius: 0.06, speed: 0.5}}
outputs: {preview: false, formats: []}
solver: {quality: fast}
SCENE
sed 's/emitters.*/bodies: {drop: {shape: {sphere: {centre: [0.5, 1.5], radius: 0.2}}}}/' jet.yaml > drop.yaml
sed 's/emitters.*/bodies: {dam: {shape: {box: {low: [0, 0], high: [0.3, 0.5]}}}}/; s/quality: fast/quality: fast, pressure: wcsph/; s/0.8/0.2/' jet.yaml > dam.yaml
sed 's/emitters.*/materials: {jelly: {preset: jelly}}\nbodies: {ball: {material: jelly, shape: {sphere: {centre: [0.5, 0.7], radius: 0.2}}}}/; s/0.8/3.2/; s/0.03/0.06/; s/quality: fast/step_max: 0.05/' jet.yaml > ball.yaml
cat > tube.yaml <<'SCENE'
dimensions: 2
spacing: 0.03
duration: 1.6
domain: {low: [0, 0], high: [1, 2], x: wall, y: [wall, open]}
materials: {stone: {model: rigid, density: 1500}}
colliders: {tube: {shape: {box: {low: [0.3, 0], high: [0.7, 2.4]}, inverted: true}}}
bodies:
  water: {shape: {box: {low: [0.3, 0], high: [0.7, 1.8]}}}
  ball: {material: stone, shape: {sphere: {centre: [0.5, 1.5], radius: 0.06}}}
outputs: {preview: false, formats: []}
solver: {quality: fast, step_max: 0.004}
SCENE
for scene in jet drop dam ball tube; do
  told=$("$MOTE" check $scene.yaml --threads 1 --json 2> /dev/null | sed 's/.*"steps":\([0-9.]*\).*/\1/')
  real=$("$MOTE" run $scene.yaml --threads 1 --quiet | sed 's/.* \([0-9]*\) steps.*/\1/')
  awk -v told="$told" -v real="$real" -v scene=$scene \
    'BEGIN { if (told > real / 1.5 && told < real * 1.5 && real > 100) print scene; else print scene, told, real }'
done
