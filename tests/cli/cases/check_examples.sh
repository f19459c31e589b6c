# Scenes of all kinds of matter; slow/estimates has all, with their runs.
for name in dam_break_2d box_stack lattice_break ice_cube dumbbell_pinch soft_boxes notched_plate still_pool chocolate; do
  "$MOTE" check --json --threads 1 $name || exit 1
done
