. "$(dirname "$0")/../block.sh"
. "$(dirname "$0")/../things.sh"
# A file system that is really full, and one that is read-only, where they may be mounted.
block 0 > a.csv
mkdir full
unshare -m mount -t tmpfs none full 2> /dev/null || exit 0
unshare -m bash -c 'mount -t tmpfs -o size=4k none full
said() { [ $1 = 1 ] && grep -q "^mote: full/.*$2" err && [ -z "$(ls -A full)" ] || { echo "$3: $1"; cat err; ls -A full; }; }
for ending in ply vtp glb obj stl; do "$MOTE" mesh a.csv -o full/a.$ending --quiet > told 2> err; said $? "No space left" $ending; done
"$MOTE" render tetra.obj --preview -o full/a.png --quiet > told 2> err; said $? "No space left" png
mount -o remount,ro full
"$MOTE" mesh a.csv -o full/a.ply --quiet 2> err; said $? "Read-only" ply
"$MOTE" mesh a.csv -o full/meshes --format ply --quiet 2> err; said $? "Read-only" meshes
"$MOTE" render tetra.obj --preview --turntable 2 --size 64x36 -o full/pics --quiet 2> err; said $? "Read-only" pictures
"$MOTE" sample a.csv --at 0.2,0.2,0.2 -o full/a.csv 2> err; said $? "Read-only" sample'
