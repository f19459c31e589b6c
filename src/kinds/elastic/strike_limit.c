// Rigid bodies that may strike deformable ones move at most cfl spacings in a step, as those do: contact
// planes are those where the step begins. See elastic_bodies.h.
#include <math.h>

#include "geom/triple.h"
#include "kinds/elastic/elastic_bodies.h"
#include "kinds/rigid/rigid_bodies.h"

typedef struct bounds {
  double low[3], high[3];
} bounds;

static bounds bounds_of(const double *x, size_t count) {
  bounds b;
  copy3(x, b.low), copy3(x, b.high);
  for (size_t i = 1; i < count; ++i) {
    for (size_t a = 0; a < 3; ++a)
      b.low[a] = min2(b.low[a], x[3 * i + a]), b.high[a] = max2(b.high[a], x[3 * i + a]);
  }
  return b;
}

static double distance_from(const bounds *b, const double x[3]) {
  double off[3];
  for (int a = 0; a < 3; ++a) off[a] = max2(0.0, max2(b->low[a] - x[a], x[a] - b->high[a]));
  return length3(off);
}

// From x to the nearest of the elastic bodies and of the lattices. Across periodic sides nothing is known.
static double nearest(const mote_world *world, const double x[3]) {
  const double *at = mote_elastic_positions(world);
  double least = HUGE_VAL;
  for (int a = 0; a < 3; ++a)
    if (world->domain.periodic[a]) return 0.0;
  for (size_t k = 0; k <= mote_world_items(world, MOTE_KIND_ELASTIC); ++k) {
    bool lattices = k == mote_world_items(world, MOTE_KIND_ELASTIC);
    size_t count = lattices ? mote_world_lattice_rows(world) : mote_elastic_at(world, k)->elastic->count;
    if (count == 0) continue;
    bounds b = bounds_of(at, count);
    least = min2(least, distance_from(&b, x));
    at += 3 * count;
  }
  return least;
}

mote_result mote_strike_limit(mote_world *world, double *longest, mote_error *error) {
  (void)error;
  MOTE_ASSERT(longest != NULL && *longest > 0.0);
  if (mote_world_elastic_rows(world) + mote_world_lattice_rows(world) == 0) return MOTE_OK;
  double distance = world->def.solver.cfl * world->def.spacing;
  for (size_t k = 0; k < mote_world_items(world, MOTE_KIND_RIGID); ++k) {
    mote_obstacle body = mote_rigid_body_obstacle(world, k, *longest);
    double speed = length3(body.v) + body.radius * length3(body.w);
    if (!(speed * *longest > distance)) continue;
    double gap = nearest(world, body.x) - body.radius - 2.0 * world->def.spacing;
    if (gap < speed * *longest) *longest = max2(gap, distance) / speed;
  }
  return MOTE_OK;
}
