// Plates and blocks with cracks for validation, through <mote/fracture.h> and <mote/elastic.h> alone: sets of
// particles, bodies that know of the cracks, and displacements in balance. The spacing is 1. The first
// failure is reported and what follows it does nothing. Theory: docs/theory/fracture.md
#ifndef FRACTURE_TRIAL_H
#define FRACTURE_TRIAL_H

#include <mote/fracture.h>

#include "validate/validate.h"

#define TRIAL_YOUNG 1e9
#define TRIAL_POISSON 0.3
#define TRIAL_SUPPORT 2.5  // spacings
#define TRIAL_PI 3.14159265358979323846

typedef enum fracture_trial_set {
  TRIAL_CUBIC,
  TRIAL_SHIFTED,
  TRIAL_TURNED,
  TRIAL_JITTERED,
  TRIAL_SETS
} fracture_trial_set;
extern const char *const fracture_trial_set_name[TRIAL_SETS];

typedef struct fracture_trial {
  validation *v;
  mote_error error;
  bool ok;
  int dimensions;
  size_t count;
  double *rest, *position, *velocity, *u, *stress;  // u: displacements, of held particles prescribed
  uint8_t *held;
  mote_cracks *cracks;
  mote_elastic *body;
} fracture_trial;

// Particles where depth > 0, held where it is below `held`. Without cracks and body.
fracture_trial fracture_trial_open(validation *v, int dimensions, fracture_trial_set set, double reach,
                                   double (*depth)(void *user, const double x[3]), void *user, double held);
void fracture_trial_close(fracture_trial *t);
void fracture_trial_keep(fracture_trial *t, mote_result result);

// The body with the present cracks, kappa 1.
void fracture_trial_cut(fracture_trial *t);
// Linear displacements in balance from the present ones, then stresses.
void fracture_trial_solve(fracture_trial *t, double tolerance);
mote_crack_body fracture_trial_body(const fracture_trial *t);
// Parts that no neighbour within reach joins.
size_t fracture_trial_parts(const fracture_trial *t);

// Rows of particles that are split, all zero; for as many as a split makes.
mote_split_rows split_rows_take(size_t count);
void split_rows_free(mote_split_rows *rows);
// The body of these rows, with all else of the definition.
mote_result split_rows_body(const mote_split_rows *rows, mote_elastic_def def, const mote_env *env,
                            mote_elastic **out, mote_error *error);
// mote_split_def.crosses, with cracks for its user.
bool split_rows_cross(void *cracks, const double a[3], const double b[3]);

// Displacement around a crack from -a to a under the far stresses of biaxial tension and shear (Westergaard,
// plane strain).
void fracture_trial_exact(double a, double one, double two, const double x[3], double u[3]);

void fracture_trial_report(validation *v, measure_kind kind, double value, double reference, double tolerance,
                           const char *source, const char *format, ...) __attribute__((format(printf, 7, 8)));

#endif
