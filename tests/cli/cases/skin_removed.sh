# A body is followed after another was removed; one that is gone is told. Contact is one system for all bodies, so the last
# digits differ without the other.
cat > box.yaml <<END
spacing: 0.1
duration: 0.2
fps: 10
domain: {low: [-1, 0, -1], high: [1, 2, 1], y: [wall, open]}
bodies:
  left: {material: jelly, shape: {box: {low: [-0.6, 0.1, -0.2], high: [-0.2, 0.5, 0.2]}}}
  right: {material: jelly, shape: {box: {low: [0.2, 0.1, -0.2], high: [0.6, 0.5, 0.2]}}}
outputs: {preview: false}
END
printf 'v 0.2 0.1 -0.2\nv 0.6 0.1 -0.2\nv 0.4 0.5 0.2\nf 1 3 2\n' > right.obj
printf 'v -0.6 0.1 -0.2\nv -0.2 0.1 -0.2\nv -0.4 0.5 0.2\nf 1 3 2\n' > left.obj
echo '{"time": 0.1, "command": "remove_body", "body": "left"}' > steer.jsonl
"$MOTE" run box.yaml --quiet --threads 1 -o all > /dev/null || exit 1
"$MOTE" run box.yaml --commands steer.jsonl --quiet --threads 1 -o run > /dev/null || exit 1
for r in all run; do "$MOTE" skin $r --mesh right.obj --body right -o $r.obj --frames 3 --quiet || exit 1; done
sed -E -i 's/(\.[0-9]{9})[0-9]*/\1/g' all.obj run.obj
cmp all.obj run.obj && echo same
"$MOTE" skin run --mesh left.obj --body left -o left.%04d.obj --quiet 2>&1
echo "status $?"
