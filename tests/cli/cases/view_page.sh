# A page is a template with what it shows; names and texts cannot end its element. What is no view is refused, and what is to be built said.
mkdir web
echo '<html><!--data--></html>' > web/view.html
echo 'CORE' > web/core.html
export MOTE_WEB=$PWD/web
printf 'dimensions: 2\nspacing: 0.1\ntitle: "</script>"\nbodies: {drop: {shape: {box: {low: [0, 0], high: [0.4, 0.4]}}}}\n' > s.yaml
"$MOTE" view s.yaml -o live.html > /dev/null
grep -c '^<html>CORE$' live.html
grep -o '"kind":"scene","name":"s.yaml"' live.html
grep -c '</script>' live.html
"$MOTE" run s.yaml -o run --frames 3 --quiet --set outputs.preview=false --set 'outputs.formats=[vtp]' > /dev/null
"$MOTE" view run -o run.html > /dev/null
grep -o '"frames":3' run.html
grep -o '"counts":\[16,16,16\]' run.html
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' > m.obj
"$MOTE" view m.obj m.obj -o mesh.html > /dev/null
grep -o '"frames":2' mesh.html
grep -c CORE mesh.html
"$MOTE" view m.obj -o mesh.html 2>&1 | cut -d: -f1-3; "$MOTE" view run/totals.csv -o x.html 2>&1
"$MOTE" view s.yaml m.obj -o x.html 2>&1
"$MOTE" view dam_breka -o x.html 2>&1 | grep -o 'did you mean "dam_break"'
printf 'spacing: 0.1\nduration: 0.1\nmaterials: {wood: {model: rigid, density: 600}}\nbodies: {box: {material: wood, shape: {box: {low: [0, 0, 0], high: [0.4, 0.4, 0.4]}}}}\n' > box.yaml
"$MOTE" run box.yaml -o bodies --quiet --set outputs.preview=false > /dev/null
"$MOTE" view bodies -o bodies.html > /dev/null
grep -o '"bodies":\[{"vertices"' bodies.html
grep -o '"counts":\[0,0,0\]' bodies.html
cp "$MOTE" mote
MOTE_WEB= ./mote view m.obj -o x.html 2>&1 | cut -c1-46
ls x.html 2>&1 | cut -d: -f1
