// Which elastic bodies have explicit and which implicit steps: see soft_body.h. Theory:
// docs/theory/solids.md, "In a world"
#include "geom/triple.h"
#include "world/soft_body.h"

#define FEW 60.0  // explicit steps that cost no more than an implicit one

// --- Bodies that may touch in this step ---------------------------------------------------------------

static uint32_t root_of(const uint32_t *parent, uint32_t k) {
  while (parent[k] != k) k = parent[k];
  return k;
}

// The root of several is the first of them.
static void join(uint32_t *parent, uint32_t a, uint32_t b) {
  a = root_of(parent, a), b = root_of(parent, b);
  parent[a > b ? a : b] = a > b ? b : a;
}

// Those with a common record, or with records of the same rigid body.
static void join_touching(const mote_soft_touch *touch, uint32_t *parent) {
  for (size_t k = 0; k < touch->touches; ++k) {
    const mote_touch *t = touch->touch + k;
    if (t->ball) join(parent, touch->part_of[t->i], touch->part_of[t->other]);
  }
  for (size_t m = 0; m < touch->movers; ++m) {
    const uint32_t *of = touch->mover_touch + touch->mover_first[m];
    size_t count = touch->mover_first[m + 1] - touch->mover_first[m];
    for (size_t k = 1; k < count; ++k) {
      join(parent, touch->part_of[touch->touch[of[0]].i], touch->part_of[touch->touch[of[k]].i]);
    }
  }
}

// --- The choice ---------------------------------------------------------------------------------------

// Whether bodies that are stepped together need implicit steps: where one asks for them, and where one leaves
// the choice and many explicit ones would be needed.
static bool needs_implicit(const mote_world *world, const uint8_t *member, const double *rate) {
  bool asks = false, leaves = false;
  for (size_t k = 0; k < world->soft.group.bodies; ++k) {
    mote_integrator own = mote_soft_at(world, k)->integrator;
    if (member[k] == 0) continue;
    asks = asks || own == MOTE_INTEGRATOR_IMPLICIT || own == MOTE_INTEGRATOR_MIDPOINT;
    leaves = leaves || own == MOTE_INTEGRATOR_AUTO;
  }
  if (asks || !leaves) return asks;
  return mote_world_flows(world) || mote_soft_steps(world, member, rate) > FEW;  // soft_wet.c
}

static void choose(const mote_world *world, mote_soft_kinds *kinds, uint32_t *parent, uint8_t *member,
                   const double *rate) {
  size_t bodies = world->soft.group.bodies;
  for (uint32_t k = 0; k < bodies; ++k) parent[k] = k;
  join_touching(world->soft.touch, parent);
  for (uint32_t r = 0; r < bodies; ++r) {
    if (parent[r] != r) continue;
    for (uint32_t k = r; k < bodies; ++k) member[k] = root_of(parent, k) == r;
    bool implicit = needs_implicit(world, member, rate);
    for (uint32_t k = r; k < bodies; ++k) {
      if (member[k] != 0) kinds->is[implicit][k] = 1, ++kinds->count[implicit];
    }
    for (uint32_t k = r; k < bodies; ++k) member[k] = 0;
  }
}

mote_result mote_soft_choose(mote_world *world, mote_soft_kinds *kinds, mote_error *error) {
  size_t bodies = world->soft.group.bodies;
  uint8_t *flags = mote_arena_take(&world->scratch, 3 * bodies, 1);
  uint32_t *parent = mote_arena_take(&world->scratch, bodies, sizeof *parent);
  double *rate = mote_arena_take(&world->scratch, bodies, sizeof *rate);
  if (flags == NULL || parent == NULL || rate == NULL) return mote_fail_memory(error, bodies * sizeof *rate);
  for (size_t k = 0; k < 3 * bodies; ++k) flags[k] = 0;
  *kinds = (mote_soft_kinds){.is = {flags, flags + bodies}};
  mote_soft_touch_rates(world->soft.touch, world->soft.group.mass, rate);
  choose(world, kinds, parent, flags + 2 * bodies, rate);
  return MOTE_OK;
}
