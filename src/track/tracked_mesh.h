// A mesh whose topology changes: growing arrays of half-edges with free rows, values at the vertices, ids
// that are never reused, and a record of the vertices from which each vertex was interpolated. Every change
// of a vertex's values goes through mote_tracked_mix. docs/theory/tracking.md
#ifndef MOTE_TRACKED_MESH_H
#define MOTE_TRACKED_MESH_H

#include <mote/track.h>

#include "mesh/edge_links.h"

typedef struct mote_tracked_field {
  char name[32], unit[16];
  int components;
  double *value;
} mote_tracked_field;

// Arrays with one row per vertex or triangle, followed by those of the fields.
typedef enum mote_tracked_array {
  MOTE_TRACKED_POSITION,
  MOTE_TRACKED_ID,
  MOTE_TRACKED_FIRST,
  MOTE_TRACKED_FREE_VERTEX,
  MOTE_TRACKED_ORIGIN,
  MOTE_TRACKED_TWIN,
  MOTE_TRACKED_FREE_TRIANGLE,
  MOTE_TRACKED_ARRAYS
} mote_tracked_array;

struct mote_tracked {
  mote_env env;
  mote_track_def def;
  mote_half_edges edges;  // rows, free ones among them: no first half-edge, or triangles that are gone
  double *position;       // 3 per vertex; of free rows what was there
  uint64_t *id;
  uint64_t ids;
  uint32_t *free_vertex, *free_triangle;  // the last is used first
  size_t free_vertices, free_triangles;
  size_t capacity[MOTE_TRACKED_ARRAYS + MOTE_SURFACE_FIELDS];  // rows of each array
  int fields;
  mote_tracked_field field[MOTE_SURFACE_FIELDS];
  mote_transfer *record;
  size_t records, record_capacity;
  mote_track_event *event;  // of the last match
  size_t events, event_capacity;
  mote_arena scratch;
};

// Reserves memory for `vertices` additional vertices and twice as many triangles.
mote_result mote_tracked_reserve(mote_tracked *tracked, size_t vertices, mote_error *error);

// Sets the ids of the vertices of a mesh without free rows; all are below `ids`.
void mote_tracked_set_ids(mote_tracked *tracked, const uint64_t *id, uint64_t ids);

// New rows; memory for them must be reserved.
uint32_t mote_tracked_new_vertex(mote_tracked *tracked);
uint32_t mote_tracked_new_triangle(mote_tracked *tracked);
void mote_tracked_free_vertex(mote_tracked *tracked, uint32_t v);
void mote_tracked_free_triangle(mote_tracked *tracked, uint32_t t);

// Sets the values of `to` to the weighted mean of those of three vertices, and records it. False: out of
// memory for the record.
bool mote_tracked_mix(mote_tracked *tracked, uint32_t to, const uint32_t from[3], const double weight[3]);

// The values of a field, by rows; null: there is none.
double *mote_tracked_field_values(mote_tracked *tracked, const char *name);

static inline double *mote_tracked_at(const mote_tracked *tracked, uint32_t v) {
  return tracked->position + 3 * (size_t)v;
}

// The unit normal of a vertex (mesh_normals.h); 0 where it has none.
void mote_tracked_normal(const mote_tracked *tracked, uint32_t v, double normal[3]);

// Thickness at each row: distance along the inward normal to the opposite surface, at most `most`. normal:
// per row, 0 for free rows. tracked_thickness.c
mote_result mote_tracked_thickness(mote_tracked *tracked, const double *normal, double most,
                                   mote_arena *arena, double *thickness, mote_error *error);

// The mesh as stored, including removed triangles.
static inline mote_mesh mote_tracked_rows(const mote_tracked *t) {
  return (mote_mesh){t->position, t->edges.origin, t->edges.vertices, t->edges.triangles};
}

#endif
