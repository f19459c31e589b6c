# A directory that is none of a run is bad input to every command, and is called so.
mkdir plain
for words in 'info plain' 'sample plain --at 0,0,0' 'diff plain plain' 'run plain --resume'; do
  "$MOTE" $words > out 2> err
  echo "$? $(cat err)"
done
