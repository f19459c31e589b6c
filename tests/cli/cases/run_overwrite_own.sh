# --overwrite and --resume leave alone what the run has not made, whatever its name; what the new run would write over is refused.
. "$(dirname "$0")/../small.sh"
"$MOTE" run small.yaml --quiet --frames 2 > /dev/null
touch small/probe_mine.csv small/particles.0001.csv small/surface.0001.obj
"$MOTE" run small.yaml --overwrite --quiet --frames 2 > /dev/null
ls small | grep -E 'mine|particles.0001.csv|surface' | tr '\n' ' '; echo
"$MOTE" run small.yaml --overwrite --quiet --frames 2 --set 'outputs.formats=[csv]'; echo "status $?"
"$MOTE" run small --resume --frames 3 --quiet --set 'outputs.formats=[vtp, csv]'; echo "status $?"
rm small/particles.0001.csv
"$MOTE" run small --resume --frames 3 --quiet --set 'outputs.formats=[vtp, csv]' > /dev/null; echo "status $?"
"$MOTE" run small.yaml --overwrite --quiet --frames 1 > /dev/null; ls small | grep -E 'particles|mine' | tr '\n' ' '
echo; sed -i '/^# Its files/d' small/scene.yaml
"$MOTE" run small.yaml --overwrite --quiet --frames 1; echo "status $?"; ls small | grep -E 'particles.0001.vtp'
