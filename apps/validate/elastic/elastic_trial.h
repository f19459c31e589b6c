// Bars and blocks of elastic particles for validation, through <mote/elastic.h> alone. The first failure of
// a trial is reported and what follows it does nothing. Theory: docs/theory/elastic.md
#ifndef ELASTIC_TRIAL_H
#define ELASTIC_TRIAL_H

#include <mote/elastic.h>

#include "validate/validate.h"

typedef struct elastic_trial_def {
  mote_elastic_def elastic;  // positions, count, support (where 0) and volumes are set by solid_open
  int number[3];             // particles along each axis; the last 1 in 2D
  double spacing[3];
  double corner[3];  // of the box that is theirs: the first particle stands half a spacing inside of it
  double jitter;     // up to this part of a spacing
} elastic_trial_def;

typedef struct elastic_trial {
  validation *v;
  mote_error error;
  bool ok;
  int dimensions, number[3];
  double spacing[3];
  size_t count;
  mote_elastic *body;
  mote_elastic_implicit *solver;  // made by the first implicit step
  double *rest, *x, *velocity, *load, *force, *gradient;
  uint8_t *held;
  double *plastic;  // null until solid_plastic
} elastic_trial;

// Saint-Venant-Kirchhoff of order 2, density 1000, spacing 5 cm.
elastic_trial_def elastic_trial_def_of(int dimensions, double young, double poisson);
// A box of particles of `spacing`, its first corner at the origin.
void elastic_trial_def_box(elastic_trial_def *def, int nx, int ny, int nz, double spacing);

elastic_trial elastic_trial_open(validation *v, const elastic_trial_def *def);
void elastic_trial_close(elastic_trial *s);
void elastic_trial_keep(elastic_trial *s, mote_result result);

mote_elastic_motion elastic_trial_motion(elastic_trial *s);
// Plastic strains from here on, of zero.
void elastic_trial_plastic(elastic_trial *s);
// Where a particle stands in the box along an axis: 0 .. number - 1.
int elastic_trial_row(const elastic_trial *s, size_t i, int axis);
double elastic_trial_random(uint64_t stream, uint64_t index);  // -1 to 1

// x = centre + A (X - centre) + b.
void elastic_trial_map(elastic_trial *s, const double A[9], const double centre[3], const double b[3]);
void elastic_trial_middle(const elastic_trial *s, double centre[3]);  // of the rest shape

void elastic_trial_find_forces(elastic_trial *s);
void elastic_trial_find_gradients(elastic_trial *s);
double elastic_trial_stored(elastic_trial *s);
// Momentum, angular momentum about the origin of the rest shape's middle, kinetic and stored energy.
typedef struct elastic_trial_state {
  double momentum[3], spin[3], energy;
} elastic_trial_state;
elastic_trial_state elastic_trial_state_of(elastic_trial *s);

// An implicit step; scheme is that of the first. Returns what it did.
mote_elastic_report elastic_trial_step(elastic_trial *s, mote_elastic_scheme scheme, double dt);
// The balance under load: one step so long that inertia is nothing.
void elastic_trial_settle(elastic_trial *s);
// n explicit steps.
void elastic_trial_run(elastic_trial *s, double dt, int n);

double elastic_trial_length(const double a[3]);
double elastic_trial_largest(const double *a,
                             size_t n);  // of absolute values; infinite when one is not finite
void elastic_trial_report(elastic_trial *s, const char *name, measure_kind kind, double value,
                          double reference, double tolerance, const char *source);

#endif
