// A world's clock, views of its rows, and its extent: see world_data.h.
#include "matter/world_data.h"

#include <math.h>

#include "geom/shape_tree.h"

double mote_world_time(const mote_world *world) {
  return *mote_state_f64(&world->now, MOTE_WORLD_TIME);
}

double mote_world_spacing(const mote_world *world) {
  return world->def.spacing;
}

uint64_t mote_world_steps(const mote_world *world) {
  return *mote_state_u64(&world->now, MOTE_WORLD_STEP);
}

// --- Extent -------------------------------------------------------------------------------------------

typedef struct box {
  double low[3], high[3];
} box;

static void add_point(box *b, const double x[3], double radius) {
  for (int a = 0; a < 3; ++a) {
    if (isfinite(x[a]) && x[a] - radius < b->low[a]) b->low[a] = x[a] - radius;
    if (isfinite(x[a]) && x[a] + radius > b->high[a]) b->high[a] = x[a] + radius;
  }
}

// Where its surface can be: that of a vessel ends, though the solid around it does not.
static void add_shape(box *b, const mote_shape *shape) {
  for (size_t n = 0; n < shape->nodes; ++n) {
    double low[3], high[3];
    if (!mote_node_is_leaf(&shape->node[n])) continue;
    mote_node_bounds_plain(shape, n, NULL, low, high);
    add_point(b, low, 0.0);
    add_point(b, high, 0.0);
  }
}

void mote_world_extent(const mote_world *world, double low[3], double high[3]) {
  const mote_world_def *def = &world->def;
  box b = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
  add_point(&b, def->low, 0.0);
  add_point(&b, def->high, 0.0);
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_BODY); ++k) {
    add_shape(&b, mote_body_at(world, k)->shape);
  }
  const mote_collider_item *collider = world->item[MOTE_ITEM_COLLIDER].data;
  for (size_t n = 0; n < world->item[MOTE_ITEM_COLLIDER].all; ++n) add_shape(&b, collider[n].shape);
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_EMITTER); ++k) {
    const mote_emitter_def *e = &mote_emitter_at(world, k)->def;
    add_point(&b, e->centre, isnan(e->radius) ? e->size[0] : e->radius);
  }
  for (int a = 0; a < 3; ++a) {
    if (b.low[a] > b.high[a]) b.low[a] = 0.0, b.high[a] = def->spacing;
    low[a] = b.low[a], high[a] = b.high[a];
  }
}

double mote_world_fall(const mote_world *world, const double acceleration[3]) {
  double low[3], high[3], fall = 0.0;
  mote_world_extent(world, low, high);
  for (int a = 0; a < world->def.dimensions; ++a) fall += fabs(acceleration[a]) * (high[a] - low[a]);
  return fall;
}
