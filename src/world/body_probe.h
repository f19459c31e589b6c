// Probes of bodies: points of rigid and elastic bodies, and forces on bodies and colliders.
#ifndef MOTE_BODY_PROBE_H
#define MOTE_BODY_PROBE_H

#include "matter/world_data.h"

// Resolves item->def.of for probes of bodies and forces. ARGUMENT with the key "of" or "from".
mote_result mote_body_probe_make(const mote_world *world, mote_probe_item *item, mote_error *error);
mote_result mote_body_probe_read(mote_world *world, const mote_probe_item *item, mote_reading *out,
                                 mote_error *error);

#endif
