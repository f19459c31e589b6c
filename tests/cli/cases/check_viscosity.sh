# The viscosity of the method is that by which waves on water at rest decay, within a factor of two of what was measured in a
# tank 10 spacings deep whose wave is 28 spacings long (docs/theory/fluids.md): 2.7e-4 m2/s in 2D, 3.4e-4 in 3D.
cat > wave.yaml <<'SCENE'
dimensions: 2
spacing: 1 cm
duration: 0.1 s
domain: {low: [0, 0], high: [0.2, 0.2], x: wall, y: [wall, open]}
bodies:
  water:
    velocity: ["-0.03*sin(15.7*x)*exp(22.2*(y - 0.1))", "0.03*cos(15.7*x)*exp(22.2*(y - 0.1))"]
    shape: {box: {low: [0, 0], high: [0.2, 0.1]}}
SCENE
within() { sed -n 's/.*"effective_viscosity":\([-+0-9.e]*\).*/\1/p' | awk -v m="$1" '{ print ($1 > 0.5 * m && $1 < 2 * m) }'; }
"$MOTE" check --json wave.yaml | within 2.7e-4
"$MOTE" check --json --set dimensions=3 --set 'domain.low=[0, 0, 0]' --set 'domain.high=[0.2, 0.2, 0.2]' --set domain.z=wall \
  --set 'bodies.water.velocity=["-0.03*sin(15.7*x)*exp(22.2*(y - 0.1))", 0, 0]' \
  --set 'bodies.water.shape.box={low: [0, 0, 0], high: [0.2, 0.1, 0.2]}' wave.yaml | within 3.4e-4
