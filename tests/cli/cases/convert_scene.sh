echo "title: x" > a.yaml
"$MOTE" convert a.yaml b.vtp
