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

mote_field_view mote_world_view_group(const mote_world *world, const char *field, int group) {
  MOTE_ASSERT(group == MOTE_GROUP_FLUID || group == MOTE_GROUP_ELASTIC || group == MOTE_GROUP_LATTICE);
  const mote_store *store = mote_world_store(world);
  uint32_t more = group == MOTE_GROUP_ELASTIC ? 1u << MOTE_GROUP_RENEWED | 1u << MOTE_GROUP_BREAKING
                                              : 1u << MOTE_GROUP_DOCKING;
  uint32_t groups = group == MOTE_GROUP_FLUID ? mote_world_groups(world) : 1u << group | more;
  if (world->def.heat) groups |= 1u << MOTE_GROUP_HEAT;
  int f = mote_table_find_in(store->table, field, groups | 1u);
  if (f < 0) return (mote_field_view){0};
  mote_field_view view = mote_store_view_field(store, f);
  int of = store->table->field[f].group;
  bool all = of == MOTE_GROUP_ALL || of == MOTE_GROUP_HEAT;  // a row for each row of the store
  if (!all || view.data == NULL) return view;
  size_t first = group == MOTE_GROUP_FLUID ? 0 : mote_world_fluid_rows(world);
  if (group == MOTE_GROUP_LATTICE) first += mote_world_elastic_rows(world);
  view.data = (char *)view.data + first * mote_field_size(&store->table->field[f]);
  view.count = store->count[group];
  return view;
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
