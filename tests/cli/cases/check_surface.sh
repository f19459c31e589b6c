. "$(dirname "$0")/../box.sh"
"$MOTE" check box.yaml | grep -o 'surfaces .*B'
"$MOTE" check box.yaml --set outputs.surface.fields=[velocty]
