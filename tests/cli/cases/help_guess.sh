# mote help knows commands, sections and keys, and guesses what was meant.
"$MOTE" help emitter | head -1
for word in emiter steerin renderr; do "$MOTE" help $word; echo "status $?"; done
"$MOTE" help --pages ""; echo "status $?"
for word in solids solid-punch; do "$MOTE" validate $word; echo "status $?"; done
