// Worlds of rigid bodies to be measured: see rigid_trial.h.
#include "validate/bodies/rigid_trial.h"

#include <math.h>

#include "cli/base/app_assert.h"
#include "validate/trial_materials.h"

void rigid_keep(rigid_trial *t, mote_result result) {
  if (result == MOTE_OK || !t->ok) return;
  t->ok = false;
  validation_error(t->v, &t->error);
}

rigid_trial rigid_trial_open(validation *v, const mote_world_def *def) {
  APP_ASSERT(v != NULL && def != NULL);
  rigid_trial t = {.v = v, .ok = true};
  rigid_keep(&t, mote_world_create(def, validation_env(v), &t.world, &t.error));
  return t;
}

mote_world_def rigid_open_def(double gravity) {
  mote_world_def def = mote_world_def_default();
  def.spacing = RIGID_D;
  def.gravity[1] = -gravity;
  return def;
}

mote_world_def rigid_floor_def(void) {
  mote_world_def def = rigid_open_def(RIGID_G);
  def.low[1] = 0.0, def.side[1][0] = MOTE_SIDE_WALL;
  return def;
}

void rigid_add_material(rigid_trial *t, const char *name, double friction, double restitution) {
  APP_ASSERT(friction >= 0.0 && restitution >= 0.0 && restitution <= 1.0);
  mote_material_def def = rigid_material(name, 1000.0);
  def.friction = friction, def.restitution = restitution;
  if (t->ok) rigid_keep(t, mote_world_add_material(t->world, &def, NULL, &t->error));
}

mote_body_def rigid_body_def(const char *name, mote_shape_def shape) {
  mote_body_def def = mote_body_def_default();
  def.name = name, def.material = "stone", def.shape = shape;
  return def;
}

mote_body rigid_add_body(rigid_trial *t, const mote_body_def *def) {
  mote_body body = {0, 0};
  if (t->ok) rigid_keep(t, mote_world_add_body(t->world, def, &body, &t->error));
  return body;
}

mote_collider_def rigid_collider_def(const char *name, mote_shape_def shape) {
  mote_collider_def def = mote_collider_def_default();
  def.name = name, def.shape = shape;
  return def;
}

void rigid_add_collider(rigid_trial *t, const mote_collider_def *def) {
  if (t->ok) rigid_keep(t, mote_world_add_collider(t->world, def, NULL, &t->error));
}

mote_body_state rigid_state_of(rigid_trial *t, mote_body body) {
  mote_body_state state = {0};
  if (t->ok) rigid_keep(t, mote_world_body(t->world, body, &state, &t->error));
  return state;
}

mote_totals rigid_totals_of(rigid_trial *t) {
  mote_totals totals = {0};
  if (t->ok) rigid_keep(t, mote_world_totals(t->world, &totals, &t->error));
  return totals;
}

void rigid_go(rigid_trial *t, double until) {
  APP_ASSERT(!t->ok || until >= mote_world_time(t->world));
  if (t->ok) rigid_keep(t, mote_world_advance(t->world, until, &t->error));
}

void rigid_report(rigid_trial *t, const char *name, measure_kind kind, double value, double reference,
                  double tolerance, const char *source) {
  measure m = {name, kind, value, reference, tolerance, source};
  if (t->ok) validation_report(t->v, &m);
}

double rigid_length_of(const double x[3]) {
  return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}
