// Bars and blocks of elastic particles for validation, through <mote/elastic.h> alone. The first failure of
// a trial is reported and what follows it does nothing. Theory: docs/theory/solids.md
#ifndef SOLID_TRIAL_H
#define SOLID_TRIAL_H

#include <mote/elastic.h>

#include "validate/validate.h"

typedef struct solid_def {
  mote_elastic_def elastic;  // positions, count, support (where 0) and volumes are set by solid_open
  int number[3];             // particles along each axis; the last 1 in 2D
  double spacing[3];
  double corner[3];  // of the box that is theirs: the first particle stands half a spacing inside of it
  double jitter;     // up to this part of a spacing
} solid_def;

typedef struct solid {
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
} solid;

// Saint-Venant-Kirchhoff of order 2, density 1000, spacing 5 cm.
solid_def solid_def_of(int dimensions, double young, double poisson);
// A box of particles of `spacing`, its first corner at the origin.
void solid_def_box(solid_def *def, int nx, int ny, int nz, double spacing);

solid solid_open(validation *v, const solid_def *def);
void solid_close(solid *s);
void solid_keep(solid *s, mote_result result);

mote_elastic_motion solid_motion(solid *s);
// Plastic strains from here on, of zero.
void solid_plastic(solid *s);
// Where a particle stands in the box along an axis: 0 .. number - 1.
int solid_row(const solid *s, size_t i, int axis);
double solid_random(uint64_t stream, uint64_t index);  // -1 to 1

// x = centre + A (X - centre) + b.
void solid_map(solid *s, const double A[9], const double centre[3], const double b[3]);
void solid_middle(const solid *s, double centre[3]);  // of the rest shape

void solid_find_forces(solid *s);
void solid_find_gradients(solid *s);
double solid_stored(solid *s);
// Momentum, angular momentum about the origin of the rest shape's middle, kinetic and stored energy.
typedef struct solid_state {
  double momentum[3], spin[3], energy;
} solid_state;
solid_state solid_state_of(solid *s);

// An implicit step; scheme is that of the first. Returns what it did.
mote_elastic_report solid_step(solid *s, mote_elastic_scheme scheme, double dt);
// The balance under load: one step so long that inertia is nothing.
void solid_settle(solid *s);
// n explicit steps.
void solid_run(solid *s, double dt, int n);

double solid_length(const double a[3]);
double solid_largest(const double *a, size_t n);  // of absolute values; infinite when one is not finite
void solid_report(solid *s, const char *name, measure_kind kind, double value, double reference,
                  double tolerance, const char *source);

#endif
