# A snapshot of the retired version 1, kept among the seeds of fuzz/snapshot, is refused with the version and advice.
cp "$(dirname "$0")/../../fuzz/corpus/snapshot/version_1" old.mote
"$MOTE" info old.mote
