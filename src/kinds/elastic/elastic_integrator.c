// Chooses explicit or implicit steps for each elastic body: see elastic_bodies.h. Theory:
// docs/theory/solids.md, "In a world"
#include "geom/triple.h"
#include "kinds/elastic/elastic_bodies.h"

// `integrator: auto` is explicit where stability needs at most so many steps in a step of the world: part of
// the definition of `auto`, whatever machine and body (docs/theory/solids.md, "In a world").
#define AUTO_EXPLICIT_STEPS_MAX 60.0

// --- Bodies that may be in contact in this step ------------------------------------------------------

static uint32_t root_of(uint32_t *parent, uint32_t k) {
  for (; parent[k] != k; k = parent[k]) parent[k] = parent[parent[k]];  // path compression
  return k;
}

// The root of a set is its first body.
static void join(uint32_t *parent, uint32_t a, uint32_t b) {
  a = root_of(parent, a), b = root_of(parent, b);
  parent[a > b ? a : b] = a > b ? b : a;
}

// Joins bodies with a common record, or with records of the same rigid body.
static void join_in_contact(const mote_elastic_contact *contact, uint32_t *parent) {
  for (size_t k = 0; k < contact->records; ++k) {
    const mote_elastic_contact_record *t = contact->record + k;
    if (t->ball) join(parent, contact->part_of[t->i], contact->part_of[t->other]);
  }
  for (size_t m = 0; m < contact->movers; ++m) {
    const uint32_t *of = contact->mover_record + contact->mover_first[m];
    size_t count = contact->mover_first[m + 1] - contact->mover_first[m];
    for (size_t k = 1; k < count; ++k) {
      join(parent, contact->part_of[contact->record[of[0]].i], contact->part_of[contact->record[of[k]].i]);
    }
  }
}

// --- The choice ---------------------------------------------------------------------------------------

// Bodies that are stepped together, by their root.
typedef struct step_group {
  bool wants_implicit;  // one of them asks for implicit steps
  bool leaves_choice;   // one leaves the choice open
  double rate;          // of the stiffest contact, 1/s^2
} step_group;

static void look(const mote_world *world, uint32_t *parent, const double *rate, step_group *group) {
  size_t bodies = world->elastic_bodies.group.bodies;
  for (uint32_t k = 0; k < bodies; ++k) {
    mote_integrator own = mote_elastic_at(world, k)->integrator;
    step_group *g = &group[root_of(parent, k)];
    g->wants_implicit =
        g->wants_implicit || own == MOTE_INTEGRATOR_IMPLICIT || own == MOTE_INTEGRATOR_MIDPOINT;
    g->leaves_choice = g->leaves_choice || own == MOTE_INTEGRATOR_AUTO;
    g->rate = max2(g->rate, rate[k]);
  }
  for (uint32_t k = 0; k < bodies; ++k) {
    step_group *g = &group[root_of(parent, k)];
    double steps = mote_elastic_explicit_step_count(world, k, g->rate);
    bool many = mote_world_flows(world) || steps > AUTO_EXPLICIT_STEPS_MAX;  // fluids: elastic_coupled.c
    g->wants_implicit = g->wants_implicit || (g->leaves_choice && many);
  }
}

mote_result mote_elastic_integrators_choose(mote_world *world, mote_elastic_integrators *kinds,
                                            mote_error *error) {
  MOTE_ASSERT(kinds != NULL);
  MOTE_ASSERT(world->elastic_bodies.group.bodies == mote_world_items(world, MOTE_KIND_ELASTIC));
  size_t bodies = world->elastic_bodies.group.bodies;
  MOTE_TAKE_NEW(uint8_t, flags, &world->scratch, 2 * bodies, error);
  MOTE_TAKE_NEW(uint32_t, parent, &world->scratch, bodies, error);
  MOTE_TAKE_NEW(step_group, group, &world->scratch, bodies, error);
  MOTE_TAKE_NEW(double, rate, &world->scratch, bodies, error);
  *kinds = (mote_elastic_integrators){.is = {flags, flags + bodies}};
  mote_elastic_contact_rates(world->elastic_bodies.contact, world->elastic_bodies.group.mass, rate);
  for (uint32_t k = 0; k < bodies; ++k) parent[k] = k, group[k] = (step_group){0};
  join_in_contact(world->elastic_bodies.contact, parent);
  look(world, parent, rate, group);
  for (uint32_t k = 0; k < bodies; ++k) {
    bool implicit = group[root_of(parent, k)].wants_implicit;
    kinds->is[implicit][k] = 1, kinds->is[!implicit][k] = 0;
    ++kinds->count[implicit];
  }
  return MOTE_OK;
}
