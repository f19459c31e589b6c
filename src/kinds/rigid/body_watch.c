// The watchdog of bodies: see body_watch.h. Reads the table of rigid bodies and the report of the step.
#include "kinds/rigid/body_watch.h"

#include <math.h>
#include <stdio.h>

#include "base/note.h"
#include "geom/triple.h"
#include "kinds/rigid/rigid_bodies.h"
#include "kinds/rigid/tuning.inc"
#include "matter/body_forces.h"

static const char *const fault_names[] = {
    [MOTE_BODY_FAULT_NONE] = "",
    [MOTE_BODY_FAULT_SPEED] = "faster than anything in the scene can make it: reduce solver.step_max",
    [MOTE_BODY_FAULT_ENERGY] = "energy grows without a source: reduce solver.step_max",
    [MOTE_BODY_FAULT_OVERLAP] = "bodies are pressed into each other or into a wall",
    [MOTE_BODY_FAULT_OUTSIDE] = "a body has left the closed walls of the domain",
    [MOTE_BODY_FAULT_SHOCK] =
        "a lattice is struck faster than its sound and crumbles: a larger young or a softer blow helps",
};

const char *mote_body_fault_text(mote_body_fault fault) {
  bool known = (size_t)fault < sizeof fault_names / sizeof *fault_names;
  return known ? fault_names[fault] : "";
}

static void report(mote_world *world, mote_body_fault fault, const char *name, double value) {
  mote_body_fault_report *r = &world->body_watch.report;
  if (r->fault != MOTE_BODY_FAULT_NONE) return;
  r->fault = fault, r->value = value, r->time = mote_world_time(world);
  snprintf(r->body, sizeof r->body, "%s", name == NULL ? "" : name);
  mote_note(&world->env, MOTE_LOG_WARNING, "bodies at %.6g s: %s (%s%s%.6g)", r->time,
            mote_body_fault_text(fault), r->body, r->body[0] != '\0' ? ": " : "", value);
}

// The energy may not rise above its minimum so far; the minimum is reset where energy can be added from
// outside.
static void judge_energy(mote_world *world, const mote_body_sight *s) {
  mote_body_watch *w = &world->body_watch;
  if (w->bodies != s->bodies || s->driven)
    *w = (mote_body_watch){.bodies = s->bodies, .least = s->energy, .report = w->report};
  w->kinetic = max2(w->kinetic, s->kinetic);
  double allowed = ENERGY_GROWTH_MAX * w->kinetic + LIFT_MAX * world->def.spacing * s->weight;
  if (s->energy - w->least > allowed) report(world, MOTE_BODY_FAULT_ENERGY, NULL, s->energy - w->least);
  w->least = min2(w->least, s->energy);
}

void mote_body_watch_judge(mote_world *world, const mote_body_sight *s) {
  double limit = world->def.speed_limit;
  if (isnan(limit)) limit = SPEED_FACTOR * world->speed + SPEED_LEAST;
  if (s->bodies == 0) return;
  if (s->outside != NULL) report(world, MOTE_BODY_FAULT_OUTSIDE, s->outside, s->speed);
  if (!(s->speed <= limit)) report(world, MOTE_BODY_FAULT_SPEED, s->fastest, s->speed);
  judge_energy(world, s);
  if (s->overlap > FAULT_OVERLAP * world->def.spacing)
    report(world, MOTE_BODY_FAULT_OVERLAP, NULL, s->overlap);
}

// --- Lattices ------------------------------------------------------------------------------------------

static void judge_shock(mote_world *world) {
  mote_body_place place;
  char name[MOTE_BODY_NAME_SIZE] = "";
  if (!(world->lattice_shock > SHOCK_SPEED_MAX)) return;
  if (world->lattice_shock_body > 0 && mote_bodies_find(world, world->lattice_shock_body - 1, &place))
    mote_bodies_name(world, place, name);
  report(world, MOTE_BODY_FAULT_SHOCK, name, world->lattice_shock);
}

// --- Rigid bodies -------------------------------------------------------------------------------------

static bool is_outside(const mote_world *world, const double x[3]) {
  bool outside = false;
  for (int a = 0; a < world->def.dimensions; ++a) {
    outside = outside || (world->def.side[a][0] == MOTE_SIDE_WALL && x[a] < world->def.low[a]);
    outside = outside || (world->def.side[a][1] == MOTE_SIDE_WALL && x[a] > world->def.high[a]);
  }
  return outside;
}

static bool is_driven(const mote_world *world) {
  bool driven =
      mote_world_fluid_rows(world) > 0 || mote_world_elastic_rows(world) > 0 || mote_body_forces_act(world);
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_COLLIDER); ++k)
    driven = driven || mote_collider_at(world, k)->moves;
  return driven;
}

void mote_body_watch_step(mote_world *world, bool lands) {
  const mote_store *store = &world->now.store[MOTE_TABLE_BODIES];
  size_t count = store->count[MOTE_GROUP_RIGID];
  const double *g = world->def.gravity;
  mote_body_sight s = {.bodies = count, .overlap = world->report.overlap};
  judge_shock(world);
  if (!lands || count == 0) return;
  s.driven = is_driven(world);
  for (size_t k = 0; k < count; ++k) {
    const mote_rigid_item *item = mote_rigid_at(world, k);
    const double *x = mote_store_f64(store, MOTE_RIGID_POSITION) + 3 * k;
    const double *v = mote_store_f64(store, MOTE_RIGID_VELOCITY) + 3 * k;
    double kinetic = mote_rigid_energy(&item->rigid, mote_store_f64(store, MOTE_RIGID_ORIENTATION) + 4 * k, v,
                                       mote_store_f64(store, MOTE_RIGID_MOMENTUM) + 3 * k);
    bool hinged = !(item->rigid.inverse_mass > 0.0) && mote_rigid_moves(&item->rigid);
    s.kinetic += kinetic, s.energy += kinetic - item->rigid.mass * dot3(g, x);
    s.weight += item->rigid.mass * length3(g);
    s.driven = s.driven || hinged;  // its centre of mass is not x
    if (!(length3(v) <= s.speed)) s.speed = length3(v), s.fastest = item->name;
    if (s.outside == NULL && mote_rigid_moves(&item->rigid) && is_outside(world, x)) s.outside = item->name;
  }
  for (int a = 0; a < world->def.dimensions; ++a)
    s.driven = s.driven || (g[a] != 0.0 && world->domain.periodic[a]);
  mote_body_watch_judge(world, &s);
}

mote_body_fault_report mote_world_body_fault(const mote_world *world) {
  return world == NULL ? (mote_body_fault_report){0} : world->body_watch.report;
}
