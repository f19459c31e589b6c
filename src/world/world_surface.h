// Data that surfaces of a world keep between builds, in tables that are registered with the first surface
// that needs them.
#ifndef MOTE_WORLD_SURFACE_H
#define MOTE_WORLD_SURFACE_H

#include "matter/world_data.h"
#include "state/snapshot_head.h"

// clang-format off
//  One row for each surface that remembers, in their order.
#define MOTE_SURFACE_STATE_FIELDS(F) \
  F(MOTE_SURFACE_NAME,    "name",          U64, 1, ALL, REQUIRED, 0, "1",    "surface",   "hash of its name") \
  F(MOTE_SURFACE_BUILT,   "built",         F64, 1, ALL, REQUIRED, 0, "s",    "surface",   "when it was last built; NaN: never")

//  Two blocks for each of them: what its last build left, and what that build began with, by ascending ids.
#define MOTE_DISTANCE_FIELDS(F) \
  F(MOTE_DISTANCE_PARTICLE, "particle",    U64, 1, ALL, REQUIRED, 0, "1",    "surface",   "id of the particle; six upper bits: at which walls it is an image") \
  F(MOTE_DISTANCE_VALUE,  "distance",      F32, 1, ALL, REQUIRED, 0, "m",    "surface",   "to the surface")
// clang-format on

enum { MOTE_SURFACE_STATE_FIELDS(MOTE_FIELD_INDEX) MOTE_SURFACE_STATE_FIELD_COUNT };
enum { MOTE_DISTANCE_FIELDS(MOTE_FIELD_INDEX) MOTE_DISTANCE_FIELD_COUNT };

extern const mote_table mote_surface_table, mote_distance_table;

// Snapshots. Surfaces are outputs, which may change when a run is resumed: tables that the world does not
// have are dropped, and surfaces that are not in the snapshot start without data.
mote_result mote_surfaces_expect(const mote_snapshot_head *head, mote_state *state, mote_error *error);
bool mote_surfaces_possible(const mote_state *state);
mote_result mote_surfaces_match(const mote_world *world, mote_state *state, mote_error *error);

#endif
