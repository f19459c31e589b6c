// The tracked surface of a world (docs/theory/tracking.md): a mesh as three tables of the state, registered
// if the definition has one. A step builds a mote_tracked from them, changes it and writes it back, so that a
// world that was loaded or restored to the beginning of a frame continues with the same bits.
#ifndef MOTE_WORLD_TRACK_H
#define MOTE_WORLD_TRACK_H

#include <mote/track.h>

#include "matter/world_data.h"

enum {
  MOTE_GROUP_TRACK_REST = 1,
  MOTE_GROUP_TRACK_COLOUR,
  MOTE_GROUP_TRACK_MATERIAL,
  MOTE_GROUP_TRACK_WAVES,
  MOTE_TRACK_GROUPS
};

// clang-format off
#define MOTE_TRACK_FIELDS(F) \
  F(MOTE_TRACK_IDS,         "ids",         U64, 1, ALL, REQUIRED, 0, "1", "surface", "ids of vertices given so far") \
  F(MOTE_TRACK_STEPS,       "steps",       U64, 1, ALL, REQUIRED, 0, "1", "surface", "steps since the last projection") \
  F(MOTE_TRACK_PROJECTIONS, "projections", U64, 1, ALL, REQUIRED, 0, "1", "surface", "since the mesh was last held against a fresh surface") \
  F(MOTE_TRACK_PARTICLES,   "particles",   U64, 1, ALL, REQUIRED, 0, "1", "surface", "there were then") \
  F(MOTE_TRACK_MOVED,       "moved",       F64, 1, ALL, REQUIRED, 0, "m", "surface", "at most of a vertex, without their mean, since the last projection")
#define MOTE_TRACK_VERTEX_FIELDS(F) \
  F(MOTE_TRACK_VERTEX_ID,   "id",          U64, 1, ALL, REQUIRED, 0, "1",   "surface", "never used again") \
  F(MOTE_TRACK_POSITION,    "position",    F64, 3, ALL, REQUIRED, 0, "m",   "surface", "of the mesh without its waves") \
  F(MOTE_TRACK_SPEED,       "velocity",    F64, 3, ALL, REQUIRED, 0, "m/s", "surface", "of the fluid there") \
  F(MOTE_TRACK_REST,        "rest",        F64, 3, TRACK_REST, REQUIRED, 0, "m", "surface", "where it began") \
  F(MOTE_TRACK_COLOUR,      "colour",      F64, 3, TRACK_COLOUR, REQUIRED, 0, "1", "surface", "of the material, when the matter appeared") \
  F(MOTE_TRACK_MATERIAL,    "material",    F64, 1, TRACK_MATERIAL, REQUIRED, 0, "1", "surface", "number of the material, when the matter appeared") \
  F(MOTE_TRACK_HEIGHT,      "wave_height", F64, 1, TRACK_WAVES, REQUIRED, 0, "m", "surface", "of waves, along the normal") \
  F(MOTE_TRACK_RATE,        "wave_rate",   F64, 1, TRACK_WAVES, REQUIRED, 0, "m/s", "surface", "its derivative")
#define MOTE_TRACK_TRIANGLE_FIELDS(F) \
  F(MOTE_TRACK_CORNERS,     "corners",     U32, 3, ALL, REQUIRED, 0, "1", "surface", "rows of its vertices, counterclockwise from outside")
// clang-format on

enum { MOTE_TRACK_FIELDS(MOTE_FIELD_INDEX) MOTE_TRACK_FIELD_COUNT };
enum { MOTE_TRACK_VERTEX_FIELDS(MOTE_FIELD_INDEX) MOTE_TRACK_VERTEX_FIELD_COUNT };
enum { MOTE_TRACK_TRIANGLE_FIELDS(MOTE_FIELD_INDEX) MOTE_TRACK_TRIANGLE_FIELD_COUNT };

struct mote_world_track {
  mote_surface_def def;  // of the surface onto which the mesh is put back
  mote_surface_walls walls;
  mote_surfacer *surfacer;
  mote_track_flow *flow;
  mote_world_track_event *event;  // of the last step
  size_t events, event_capacity;
};

// Tables and tools of a world whose definition has a tracked surface; else null.
mote_result mote_world_track_make(mote_world *world, mote_error *error);
void mote_world_track_free(mote_world *world);

// Whether the mesh exists: from the first step on.
bool mote_world_track_begun(const mote_world *world);

// The one row of the surface, once it has begun.
uint64_t *mote_world_track_u64(const mote_world *world, int field);
double *mote_world_track_moved(const mote_world *world);

// The mesh of the tables, which the caller destroys; and back. Fields of the mesh are those of the table.
mote_result mote_world_track_read(const mote_world *world, mote_tracked **out, mote_error *error);
mote_result mote_world_track_write(mote_world *world, const mote_tracked *mesh, mote_error *error);

// A new surface of the current fluid particles and, if `images` is not null, the particles with their images;
// the caller frees both.
mote_result mote_world_track_surface(const mote_world *world, mote_surface *out, mote_surface_images *images,
                                     mote_error *error);

// Sets the values of vertices of new matter, which are NaN, from the nearest particles.
mote_result mote_world_track_fill(const mote_world *world, mote_tracked *mesh, mote_error *error);

// sigma/rho of the first fluid with a tension, else of water, m^3/s^2.
double mote_world_track_capillarity(const mote_world *world);

// Adds the surface tension of the mesh to the accelerations of the fluid, with solver.tension: mesh.
mote_result mote_world_track_tension(mote_world *world, mote_error *error);

// Builds the first mesh from the current particles. No effect if it exists or the definition has none.
mote_result mote_world_track_begin(mote_world *world, mote_error *error);

// Whether a loaded state has a valid surface.
bool mote_world_track_possible(const mote_world *world, const mote_state *state);

#endif
