# A name with a space and a letter beyond ASCII, in a directory that is there already.
mkdir "fünf Bilder"
"$MOTE" demo --figures eg09-1 des96-1 --format=svg -o "fünf Bilder" && ls "fünf Bilder"
