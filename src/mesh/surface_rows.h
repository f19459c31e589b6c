// The arrays of a surface as rows, one per vertex: kept, left out and mixed together.
#ifndef MOTE_SURFACE_ROWS_H
#define MOTE_SURFACE_ROWS_H

#include <mote/surface.h>

#define MOTE_ROW_GONE UINT32_MAX

// ARGUMENT: no surface, no mesh (mote_mesh_check), or fields that have not one row per vertex.
mote_result mote_surface_check(const mote_surface *surface, mote_error *error);

// Adds a field of such a name, unit and type, whose values are not set; false when memory is out (then
// mote_surface_free frees what there is).
bool mote_surface_add_field(mote_surface *surface, const mote_field_view *like, const mote_env *env);

// A new surface of those vertices whose number is not GONE (numbers ascend from 0 to vertices - 1), and these
// triangles of old numbers.
mote_result mote_surface_select(const mote_surface *surface, const uint32_t *number, size_t vertices,
                                const uint32_t *triangle, size_t triangles, const mote_env *env,
                                mote_surface *out, mote_error *error);

// Puts the surface `made` in the place of *surface, which is freed.
void mote_surface_replace(mote_surface *surface, mote_surface *made, const mote_env *env);

// Gives vertex row[0] the mean of three rows: place, normal and numbers by weight, whole numbers of the
// heaviest.
void mote_surface_mix(mote_surface *surface, const uint32_t row[3], const double weight[3]);

#endif
