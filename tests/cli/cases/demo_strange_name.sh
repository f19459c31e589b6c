# A name with a space and a letter beyond ASCII, in a directory that is there already.
mkdir "fünf Bilder"
"$MOTE" demo --figures --format=svg -o "fünf Bilder" && ls "fünf Bilder"
