// Fluids as a kind of matter (matter/kind.h).
#ifndef MOTE_FLUID_KIND_H
#define MOTE_FLUID_KIND_H

#include "matter/kind.h"

extern const mote_kind_row mote_kind_row_fluid;

mote_result mote_fluid_body_make(mote_world *world, const mote_body_def *def, mote_body_item *item,
                                 mote_error *error);
void mote_fluid_add_totals(const mote_world *world, mote_totals_sum *sum, mote_totals *out);

#endif
