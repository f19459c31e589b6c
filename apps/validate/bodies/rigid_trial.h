// A world of rigid bodies to be measured, by what the validations of rigid bodies share. After something has
// failed, all that is asked of it does nothing.
#ifndef MOTE_CLI_RIGID_TRIAL_H
#define MOTE_CLI_RIGID_TRIAL_H

#include <mote/world.h>

#include "validate/validate.h"

#define RIGID_G 9.81
#define RIGID_D 0.05  // spacing, m

typedef struct rigid_trial {
  validation *v;
  mote_world *world;
  mote_error error;
  bool ok;
} rigid_trial;

// Notes the first failure, and reports it; what follows does nothing.
void rigid_keep(rigid_trial *t, mote_result result);
rigid_trial rigid_trial_open(validation *v, const mote_world_def *def);
// Without walls; with a floor at y = 0.
mote_world_def rigid_open_def(double gravity);
mote_world_def rigid_floor_def(void);
// Rigid, 1000 kg/m^3.
void rigid_add_material(rigid_trial *t, const char *name, double friction, double restitution);
// Of the material "stone".
mote_body_def rigid_body_def(const char *name, mote_shape_def shape);
mote_body rigid_add_body(rigid_trial *t, const mote_body_def *def);
mote_collider_def rigid_collider_def(const char *name, mote_shape_def shape);
void rigid_add_collider(rigid_trial *t, const mote_collider_def *def);
mote_body_state rigid_state_of(rigid_trial *t, mote_body body);
mote_totals rigid_totals_of(rigid_trial *t);
void rigid_go(rigid_trial *t, double until);
void rigid_report(rigid_trial *t, const char *name, measure_kind kind, double value, double reference,
                  double tolerance, const char *source);
double rigid_length_of(const double x[3]);

#endif
