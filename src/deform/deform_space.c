// The grid, the nodes and their supports: see deform_space.h.
#include "deform/deform_space.h"

#include <math.h>
#include <mote/numeric.h>
#include <string.h>

#include "deform/deform_placing.h"
#include "deform/deform_spacing.h"
#include "deform/tuning.inc"
#include "geom/mesh_parts.h"
#include "geom/triple.h"

#define FINE_NODES 300  // more nodes have coarser grids, of as many points

// --- Grid -----------------------------------------------------------------------------------------------

static double cells_of(double nodes) {
  double cells = nodes > FINE_NODES ? CELLS_PER_SPACING * mote_cbrt(FINE_NODES / nodes) : CELLS_PER_SPACING;
  return max2(cells, CELLS_LEAST);
}

static mote_result make_grid(const mote_deform_placing *p, mote_arena *memory, mote_error *error) {
  mote_deform_space *s = p->space;
  const mote_deform_def *def = p->def;
  const mote_mesh *mesh = p->mesh;
  double volume = fabs(mote_mesh_volume(mesh)), low[3], high[3];
  if (def->thickness > 0.0) {
    volume = 0.0;
    for (size_t t = 0; t < mesh->triangles; ++t) volume += mote_mesh_area(mesh, t) * def->thickness;
  }
  mote_mesh_bounds(mesh, low, high);
  double size = distance3(low, high);
  if (!(volume > 1e-12 * size * size * size)) return mote_fail_key(error, "mesh", "has no volume");
  s->spacing = mote_cbrt(volume / (double)def->nodes);
  double cell = s->spacing / cells_of((double)def->nodes);
  for (int attempt = 0; attempt < 4; ++attempt, cell *= 0.6) {
    mote_arena_mark mark = mote_arena_here(memory);
    const mote_deform_grid_opts opts = {cell, def->thickness, def->ties ? TIE_GAP * size : 0.0};
    MOTE_TRY(mote_deform_grid_make(mesh, &opts, memory, &s->grid, error));
    if (s->grid.unbalanced > OPEN_SHARE)
      return mote_fail_key(error, "mesh", "is open; give it a thickness, or close it");
    if (s->grid.count >= 4 * def->nodes * (size_t)def->samples) return MOTE_OK;
    mote_arena_release(memory, mark);
  }
  return mote_fail_key(error, "nodes", "%zu do not fit into the mesh", def->nodes);
}

// --- Parts ------------------------------------------------------------------------------------------------

static mote_result find_parts(const mote_deform_grid *g, mote_arena *own, mote_deform_parts *out,
                              mote_error *error) {
  MOTE_TAKE(out->of, own, g->count, error);
  MOTE_TRY(mote_deform_grid_parts(g, out->of, &out->count, own, error));
  MOTE_TAKE(out->nodes, own, out->count, error);
  memset(out->nodes, 0, out->count * sizeof *out->nodes);
  return MOTE_OK;
}

// --- Making -----------------------------------------------------------------------------------------------

// Spacing by thickness; shells are as thick everywhere.
static mote_result find_spacing(mote_deform_placing *p, mote_arena *own, mote_error *error) {
  const mote_deform_space *s = p->space;
  if (p->def->thickness <= 0.0)
    return mote_deform_spacing_make(&s->grid, s->spacing, (double)p->def->nodes, own, p->wanted, error);
  for (uint32_t i = 0; i < s->grid.count; ++i) p->wanted[i] = s->spacing;
  return MOTE_OK;
}

// Nodes asked for, as many again in limbs, a few for each part, and a quarter for vertices beyond them.
static void set_most(mote_deform_placing *p) {
  size_t points = p->space->grid.count,
         limit = points < MOTE_DEFORM_NODES_MAX ? points : MOTE_DEFORM_NODES_MAX;
  size_t limbs = 2 * p->def->nodes + MOTE_DEFORM_NODES_MIN * (size_t)p->part.count;
  size_t most = limbs + p->def->nodes / 4;
  p->limbs_most = (uint32_t)(limbs < limit ? limbs : limit),
  p->nodes_most = (uint32_t)(most < limit ? most : limit);
}

static mote_result take_memory(mote_deform_placing *p, mote_arena *memory, mote_arena *own,
                               mote_error *error) {
  mote_deform_space *s = p->space;
  size_t points = s->grid.count, samples = p->nodes_most * (size_t)p->def->samples;
  MOTE_TAKE(s->point, memory, samples, error);
  MOTE_TAKE(s->share, memory, samples, error);
  MOTE_TAKE(s->node, memory, p->nodes_most, error);
  MOTE_TAKE(s->support, memory, p->nodes_most, error);
  MOTE_TAKE(s->scale, memory, p->nodes_most, error);
  MOTE_TAKE(s->nearest, memory, points, error);
  MOTE_TAKE(p->distance, own, points, error);
  MOTE_TAKE(p->wanted, own, points, error);
  MOTE_TAKE(p->crowd, own, points, error);
  MOTE_TAKE(p->node_distance, own, points, error);
  MOTE_TAKE(p->node_nearest, own, points, error);
  MOTE_TAKE(p->block_most, own, points / MOTE_DEFORM_BLOCK + 1, error);
  MOTE_TAKE(p->reach, own, p->nodes_most, error);
  memset(p->reach, 0, p->nodes_most * sizeof *p->reach);
  return mote_deform_march_make(&s->grid, own, &p->march, error);
}

mote_result mote_deform_space_make(mote_deform_placing *p, mote_arena *memory, mote_arena *own,
                                   mote_error *error) {
  mote_deform_space *s = p->space;
  *s = (mote_deform_space){0};
  MOTE_TRY(make_grid(p, memory, error));
  MOTE_TRY(find_parts(&s->grid, own, &p->part, error));
  set_most(p);
  MOTE_TRY(take_memory(p, memory, own, error));
  MOTE_TRY(find_spacing(p, own, error));
  mote_deform_place_nodes(p);
  mote_deform_place_samples(p);
  return mote_deform_find_supports(p, own, error);
}
