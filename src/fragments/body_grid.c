// The cut grid of a body that breaks: see body_grid.h. Theory: docs/theory/fragments.md
#include "fragments/body_grid.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "fragments/tuning.inc"
#include "geom/triple.h"

mote_body_grid mote_body_grid_make(const mote_shape *shape, int dimensions, double spacing, double edge,
                                   const mote_env *env) {
  return (mote_body_grid){.env = mote_env_resolve(env),
                          .shape = shape,
                          .dimensions = dimensions,
                          .spacing = spacing,
                          .edge = edge};
}

void mote_body_grid_free(mote_body_grid *grid) {
  mote_cut_grid_destroy(grid->grid);
  mote_free(&grid->env, grid->node, grid->node_capacity, sizeof *grid->node);
  grid->grid = NULL, grid->node = NULL;
  grid->particles = grid->node_capacity = grid->triangles = 0;
}

static double distance_to(void *user, const double x[3]) {
  const mote_body_grid *b = user;
  double flat = mote_shape_distance(b->shape, x);
  return b->dimensions == 2 ? max2(flat, fabs(x[2]) - 0.5 * b->spacing) : flat;
}

static mote_result make_grid(mote_body_grid *b, mote_error *error) {
  mote_cut_grid_def def = {.distance = distance_to, .user = b, .edge = b->edge};
  mote_shape_bounds(b->shape, def.low, def.high);
  if (b->dimensions == 2) def.low[2] = -0.5 * b->spacing, def.high[2] = 0.5 * b->spacing;
  mote_cut_grid_destroy(b->grid);
  b->grid = NULL;
  b->triangles = 0;
  return mote_cut_grid_create(&def, &b->env, &b->grid, error);
}

static bool has_gone_back(const mote_body_grid *b, const mote_crack_sheets *cracks) {
  return b->triangles > cracks->triangles ||
         (b->triangles > 0 && memcmp(b->last, cracks->corner + 9 * (b->triangles - 1), sizeof b->last) != 0);
}

static bool is_blocked(void *user, const double a[3], const double b[3]) {
  return mote_crack_cuts(user, a, b, NULL);
}

// Triangles of a segment of a 2D crack, through the plate.
static void extrude(const double *segment, double beyond, double out[18]) {
  const double *a = segment, *b = segment + 3;
  const double corner[18] = {a[0], a[1], -beyond, b[0], b[1], -beyond, b[0], b[1], beyond,
                             a[0], a[1], -beyond, b[0], b[1], beyond,  a[0], a[1], beyond};
  memcpy(out, corner, sizeof corner);
}

static mote_result add_cracks(mote_body_grid *b, const mote_crack_sheets *cracks, double box[6],
                              mote_error *error) {
  for (int k = 0; k < 3; ++k) box[k] = HUGE_VAL, box[3 + k] = -HUGE_VAL;
  for (size_t t = b->triangles; t < cracks->triangles; ++t) {
    const double *corner = cracks->corner + 9 * t;
    double plate[18];
    bool flat = b->dimensions == 2;
    for (int k = 0; k < 9; ++k)
      box[k % 3] = min2(box[k % 3], corner[k]), box[3 + k % 3] = max2(box[3 + k % 3], corner[k]);
    if (flat) extrude(corner, CRACK_EXTRUSION * b->spacing, plate);
    MOTE_TRY(mote_cut_grid_add(b->grid, flat ? plate : corner, flat ? 2 : 1, error));
    memcpy(b->last, corner, sizeof b->last);
  }
  b->triangles = cracks->triangles;
  return MOTE_OK;
}

mote_result mote_body_grid_follow(mote_body_grid *grid, const mote_crack_sheets *cracks, const double *eye,
                                  size_t count, bool *renewed, mote_error *error) {
  double box[6], reach = NODE_REACH * grid->edge + EYE_REACH * grid->spacing;
  *renewed = grid->grid == NULL || has_gone_back(grid, cracks);
  if (*renewed) MOTE_TRY(make_grid(grid, error));
  *renewed = *renewed || grid->particles != count;
  MOTE_TRY(add_cracks(grid, cracks, box, error));
  MOTE_TRY(mote_reserve(&grid->env, &grid->node, &grid->node_capacity, count, sizeof *grid->node, error));
  grid->particles = count;
  for (size_t i = 0; i < count; ++i) {
    bool near = true;
    for (int k = 0; k < grid->dimensions; ++k)
      near &= eye[3 * i + k] > box[k] - reach && eye[3 * i + k] < box[3 + k] + reach;
    if (!near && !*renewed) continue;
    grid->node[i] = mote_cut_grid_nearest(grid->grid, eye + 3 * i, is_blocked, (void *)(uintptr_t)cracks);
  }
  return MOTE_OK;
}
