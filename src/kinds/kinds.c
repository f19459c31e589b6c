// The table of kinds of matter: see kinds.h.
#include "kinds/kinds.h"

#include "kinds/elastic/elastic_bodies.h"
#include "kinds/fluid/fluid_kind.h"
#include "kinds/lattice/lattice_bodies.h"
#include "kinds/rigid/rigid_bodies.h"

const mote_kind_row *const mote_kind_table[MOTE_KINDS] = {
    &mote_kind_row_fluid,
    &mote_kind_row_rigid,
    &mote_kind_row_lattice,
    &mote_kind_row_elastic,
};
