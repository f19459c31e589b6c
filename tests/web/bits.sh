#!/bin/sh
# bits.sh MOTE WORK [few]: the cores of WORK (apps/web/build.sh), with one thread and with 1 and 2, give the state hashes of `mote run`
# for 20 scenes of all kinds, also with commands; few: three scenes, one thread.
set -eu
cd "$(dirname "$0")/../.."
mote=$1 work=$2 few=${3:-}
scenes='dam_break_2d box_stack ice_cube'
[ -n "$few" ] || scenes="$scenes two_fluids oil_on_water paddle drop_wobble periodic_flow taylor_green tap viscous_wave dice
  newtons_cradle soft_boxes notched_plate lattice_bounce lattice_break goo_freezes floating_woods clay_dent"
names=$(for name in $scenes; do echo "scenes/$name.yaml"; done)
node tests/web/bits.mjs "$mote" "$work/one/mote_core.js" 1 $names
[ -z "$few" ] || exit 0
node tests/web/messages.mjs "$mote" "$work/one/mote_core.js" 1000
for threads in 1 2; do node tests/web/bits.mjs "$mote" "$work/threads/mote_core.js" $threads $names; done
