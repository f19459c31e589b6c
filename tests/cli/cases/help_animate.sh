"$MOTE" help animate
"$MOTE" help scene keyframe
