# A ring of a million triangles, and a ball beside it as a second part, bent in seconds.
awk 'BEGIN {
  n = 1000; m = 500; pi = 3.14159265358979
  for (i = 0; i < n; ++i) for (j = 0; j < m; ++j) {
    a = 2 * pi * i / n; b = 2 * pi * j / m
    printf "v %.7g %.7g %.7g\n", cos(a) * (1 + 0.4 * cos(b)), 0.4 * sin(b), sin(a) * (1 + 0.4 * cos(b))
  }
  print "v 0 0.3 0\nv 0.3 0 0\nv 0 0 0.3\nv -0.3 0 0\nv 0 0 -0.3\nv 0 -0.3 0"
  print "g ring"
  for (i = 0; i < n; ++i) for (j = 0; j < m; ++j) {
    i1 = (i + 1) % n; j1 = (j + 1) % m
    printf "f %d %d %d %d\n", i * m + j + 1, i * m + j1 + 1, i1 * m + j1 + 1, i1 * m + j + 1
  }
  k = n * m
  printf "g ball\nf %d %d %d\nf %d %d %d\nf %d %d %d\nf %d %d %d\n", k+1, k+3, k+2, k+1, k+4, k+3, k+1, k+5, k+4, k+1, k+2, k+5
  printf "f %d %d %d\nf %d %d %d\nf %d %d %d\nf %d %d %d\n", k+6, k+2, k+3, k+6, k+3, k+4, k+6, k+4, k+5, k+6, k+5, k+2
}' > ring.obj
cat > edits.yaml <<END
nodes: 80
handles:
  left: {shape: {half_space: {point: [-1, 0, 0], normal: [1, 0, 0]}}, fix: true}
  right: {shape: {half_space: {point: [1, 0, 0], normal: [-1, 0, 0]}}, rotate: {axis: [0, 0, 1], angle: 30 deg}, move: [0, 0.3, 0]}
  ball: {group: ball, move: [0, 0.5, 0]}
END
"$MOTE" deform ring.obj edits.yaml -o bent.obj --json | grep -o '"vertices":[0-9]*,"triangles":[0-9]*\|"arrived":[a-z]*,"converged":[a-z]*'
grep -c '^f' bent.obj
tail -8 bent.obj | head -1
