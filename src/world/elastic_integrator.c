// Which elastic bodies have explicit and which implicit steps: see elastic_bodies.h. Theory:
// docs/theory/solids.md, "In a world"
#include "geom/triple.h"
#include "world/elastic_bodies.h"

#define FEW 60.0  // explicit steps that cost no more than an implicit one

// --- Bodies that may touch in this step ---------------------------------------------------------------

static uint32_t root_of(uint32_t *parent, uint32_t k) {
  for (; parent[k] != k; k = parent[k]) parent[k] = parent[parent[k]];  // shorter ways for the next
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

// Bodies that are stepped together, by their root.
typedef struct together {
  bool asks;    // one of them for implicit steps,
  bool leaves;  // and one leaves the choice, and many explicit ones would be needed
  double rate;  // of the stiffest touch
} together;

static void look(const mote_world *world, uint32_t *parent, const double *rate, together *group) {
  size_t bodies = world->soft.group.bodies;
  for (uint32_t k = 0; k < bodies; ++k) {
    mote_integrator own = mote_soft_at(world, k)->integrator;
    together *g = &group[root_of(parent, k)];
    g->asks = g->asks || own == MOTE_INTEGRATOR_IMPLICIT || own == MOTE_INTEGRATOR_MIDPOINT;
    g->leaves = g->leaves || own == MOTE_INTEGRATOR_AUTO;
    g->rate = max2(g->rate, rate[k]);
  }
  for (uint32_t k = 0; k < bodies; ++k) {
    together *g = &group[root_of(parent, k)];
    bool many = mote_world_flows(world) || mote_soft_steps(world, k, g->rate) > FEW;  // elastic_coupled.c
    g->asks = g->asks || (g->leaves && many);
  }
}

mote_result mote_soft_choose(mote_world *world, mote_soft_kinds *kinds, mote_error *error) {
  size_t bodies = world->soft.group.bodies;
  uint8_t *flags = mote_arena_take(&world->scratch, 2 * bodies, 1);
  uint32_t *parent = mote_arena_take(&world->scratch, bodies, sizeof *parent);
  together *group = mote_arena_take(&world->scratch, bodies, sizeof *group);
  double *rate = mote_arena_take(&world->scratch, bodies, sizeof *rate);
  if (flags == NULL || parent == NULL || group == NULL || rate == NULL)
    return mote_fail_memory(error, bodies * sizeof *group);
  *kinds = (mote_soft_kinds){.is = {flags, flags + bodies}};
  mote_soft_touch_rates(world->soft.touch, world->soft.group.mass, rate);
  for (uint32_t k = 0; k < bodies; ++k) parent[k] = k, group[k] = (together){0};
  join_touching(world->soft.touch, parent);
  look(world, parent, rate, group);
  for (uint32_t k = 0; k < bodies; ++k) {
    bool implicit = group[root_of(parent, k)].asks;
    kinds->is[implicit][k] = 1, kinds->is[!implicit][k] = 0;
    ++kinds->count[implicit];
  }
  return MOTE_OK;
}
