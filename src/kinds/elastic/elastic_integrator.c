// Lengths of explicit steps, and the choice of explicit or implicit ones for each elastic body: see
// elastic_bodies.h. Theory: docs/theory/elastic.md, "In a world"
#include <math.h>

#include "base/sets.h"
#include "geom/triple.h"
#include "kinds/elastic/elastic_bodies.h"
#include "kinds/elastic/tuning.inc"
#include "matter/bodies.h"

// --- Steps --------------------------------------------------------------------------------------------

// Of elastic body k, whose row of the table of bodies need not be the k-th: parts of others may come before.
static double *stretch_of(const mote_world *world, size_t k) {
  mote_body_place place = {MOTE_KIND_ELASTIC, k};
  uint32_t id = mote_body_at(world, mote_elastic_at(world, k)->body)->id;
  if (mote_bodies_id(world, place) != id) (void)mote_bodies_find(world, id, &place);
  return mote_store_f64(mote_bodies(world), MOTE_DEFORMING_STRETCH) + place.row;
}

// Stability limit of body k at its stretch times the given factor.
static double limit_of(const mote_world *world, size_t k, double more) {
  const mote_elastic_item *item = mote_elastic_at(world, k);
  return mote_elastic_step_limit(item->elastic, &item->frequency, more * *stretch_of(world, k));
}

static double longest_step(const mote_world *world, const uint8_t *member, double more) {
  double limit = HUGE_VAL;
  for (size_t k = 0; k < mote_world_items(world, MOTE_KIND_ELASTIC); ++k) {
    if (member[k] != 0) limit = min2(limit, limit_of(world, k, more));
  }
  return limit;
}

void mote_elastic_bodies_find_stretches(mote_world *world) {
  for (size_t k = 0; k < mote_world_items(world, MOTE_KIND_ELASTIC); ++k) {
    mote_elastic_motion motion = mote_elastic_body_motion(world, k);
    *stretch_of(world, k) = mote_elastic_stretch(mote_elastic_at(world, k)->elastic, &motion);
  }
}

static double steps_of(const mote_world *world, double limit) {
  return ceil(world->dt / (ELASTIC_STEP_SAFETY * *mote_state_f64(&world->now, MOTE_WORLD_FACTOR) * limit));
}

double mote_elastic_longest_step(const mote_world *world, const uint8_t *member) {
  return longest_step(world, member, 1.0);
}

double mote_elastic_group_step_count(const mote_world *world, const uint8_t *member) {
  return steps_of(world, longest_step(world, member, STRETCH_PER_STEP));
}

bool mote_elastic_may_be_explicit(const mote_world *world, const uint8_t *member, double steps) {
  bool may = !mote_world_flows(world) && mote_elastic_group_step_count(world, member) <= steps;
  for (size_t k = 0; k < mote_world_items(world, MOTE_KIND_ELASTIC); ++k) {
    mote_integrator own = mote_elastic_at(world, k)->integrator;
    may = may && (member[k] == 0 || own == MOTE_INTEGRATOR_EXPLICIT);
  }
  return may;
}

// --- Bodies that may be in contact in this step ------------------------------------------------------

void mote_elastic_join_in_contact(const mote_elastic_contact *contact, uint32_t *parent) {
  MOTE_ASSERT(parent != NULL);
  for (size_t k = 0; k < contact->records; ++k) {
    const mote_elastic_contact_record *t = contact->record + k;
    if (t->meets == MOTE_MEETS_FACE)
      mote_set_join(parent, contact->part_of[t->i], contact->part_of[t->other]);
    if (t->meets != MOTE_MEETS_STIFF && t->mover[1] != MOTE_NO_MOVER)
      mote_set_join(parent, contact->part_of[t->i], contact->mover[t->mover[1]].part);
  }
}

// --- The choice ---------------------------------------------------------------------------------------

// Bodies that are stepped together, by their root.
typedef struct step_group {
  bool wants_implicit;  // one of them asks for implicit steps
  bool leaves_choice;   // one leaves the choice open
} step_group;

static void find_groups(const mote_world *world, uint32_t *parent, step_group *group) {
  size_t bodies = world->elastic_bodies.group.bodies;
  for (uint32_t k = 0; k < bodies; ++k) {
    mote_integrator own = mote_elastic_at(world, k)->integrator;
    step_group *g = &group[mote_set_root(parent, k)];
    g->wants_implicit =
        g->wants_implicit || own == MOTE_INTEGRATOR_IMPLICIT || own == MOTE_INTEGRATOR_MIDPOINT;
    g->leaves_choice = g->leaves_choice || own == MOTE_INTEGRATOR_AUTO;
  }
  for (uint32_t k = 0; k < bodies; ++k) {
    step_group *g = &group[mote_set_root(parent, k)];
    double steps = steps_of(world, limit_of(world, k, STRETCH_PER_STEP));
    bool many = mote_world_flows(world) || steps > AUTO_EXPLICIT_STEPS_MAX;  // fluids: elastic_coupled.c
    g->wants_implicit = g->wants_implicit || (g->leaves_choice && many);
  }
}

mote_result mote_elastic_integrators_choose(mote_world *world, const uint8_t *member,
                                            mote_elastic_integrators *kinds, mote_error *error) {
  MOTE_ASSERT(kinds != NULL);
  MOTE_ASSERT(world->elastic_bodies.group.bodies == mote_world_items(world, MOTE_KIND_ELASTIC));
  size_t bodies = world->elastic_bodies.group.bodies;
  MOTE_TAKE_NEW(uint8_t, flags, &world->scratch, 2 * bodies, error);
  MOTE_TAKE_NEW(uint32_t, parent, &world->scratch, bodies, error);
  MOTE_TAKE_NEW(step_group, group, &world->scratch, bodies, error);
  *kinds = (mote_elastic_integrators){.is = {flags, flags + bodies}};
  for (uint32_t k = 0; k < bodies; ++k) parent[k] = k, group[k] = (step_group){0};
  mote_elastic_join_in_contact(world->elastic_bodies.contact, parent);
  find_groups(world, parent, group);
  for (uint32_t k = 0; k < bodies; ++k) {
    bool implicit = group[mote_set_root(parent, k)].wants_implicit, is = member == NULL || member[k] != 0;
    kinds->is[implicit][k] = is, kinds->is[!implicit][k] = 0;
    kinds->count[implicit] += is;
  }
  return MOTE_OK;
}
