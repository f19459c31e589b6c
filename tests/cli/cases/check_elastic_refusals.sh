# What no elastic body can be made of is refused before the run, by check and by run alike, with the place and the reason.
scene() { # young, poisson, shape, other bodies
  cat > bad.yaml <<END
spacing: 0.05
domain: {low: [-1, 0, -1], high: [1, 2, 1], y: [wall, open]}
materials: {soft: {model: elastic, density: 1000, young: $1, poisson: $2}, stone: {model: rigid, density: 2000}}
bodies:
  a: {material: soft, shape: $3}
$4
END
  "$MOTE" check bad.yaml > /dev/null 2> check.txt; local checked=$?
  "$MOTE" run bad.yaml -o out --quiet 2> run.txt; local ran=$?
  cmp check.txt run.txt && cat check.txt
  [ -e out ] && echo there is a directory
  [ $checked = 2 ] && [ $ran = 2 ] || echo "status $checked, $ran"
}
box='{box: {low: [-0.2, 0.1, -0.2], high: [0.2, 0.5, 0.2]}}'
scene 0 0.3 "$box"
scene -5 0.3 "$box"
scene 1e5 0.5 "$box"
scene 1e5 -1 "$box"
scene 1e5 0.3 '{box: {low: [-0.2, 0.1, -0.2], high: [0.2, 0.15, 0.2]}}'
scene 1e5 0.3 "$box" '  b: {material: soft, shape: {box: {low: [0.1, 0.1, -0.2], high: [0.5, 0.5, 0.2]}}}'
scene 1e5 0.3 "$box" '  b: {material: stone, shape: {box: {low: [0.1, 0.1, -0.2], high: [0.5, 0.5, 0.2]}}}'
scene 1e5 0.3 "$box" '  b: {material: stone, shape: {sphere: {centre: [0, 0.3, 0], radius: 0.04}}}'
scene 1e5 0.3 '{box: {low: [0.5, 0.1, 0], high: [0.7, 0.3, 0.2]}}' "  b: {material: stone, shape: {sphere: {centre: [0, 0.3, 0], radius: 0.04}}}
  c: {material: soft, shape: $box}"
printf 'v 0 0.2 0\nv 0.3 0.2 0\nv 0 0.5 0\nv 0 0.2 0.3\nf 1 2 3\nf 1 2 4\nf 2 3 4\n' > open.obj
scene 1e5 0.3 '{mesh: {file: open.obj}}'
