// What the flows of `mote validate fluids` share: the solvers that every case runs with, worlds that are
// advanced to times and looked at, and rows of the table that say which solver did how well.
#ifndef MOTE_FLUID_CASES_H
#define MOTE_FLUID_CASES_H

#include <mote/world.h>

#include "validate/validate.h"

typedef enum fluid_variant {
  FLUID_WCSPH,
  FLUID_WCSPH_FOLLOWED,  // densities followed, particles shifted: carries negative pressure
  FLUID_PCISPH,
  FLUID_DFSPH,
  FLUID_DFSPH_SHIFTED,
  FLUID_VARIANTS
} fluid_variant;

// As in the table: "DFSPH", "WCSPH followed", ...
const char *fluid_variant_name(fluid_variant variant);

// Makes the solver this variant; what they share (kernel, support, cfl, tolerances) stays. Kernel and support
// of all flows are those that docs/coefficients.md finds right: Wendland C2 of three spacings.
void fluid_variant_set(fluid_variant variant, mote_solver_def *solver);

// Which variants a case runs with, and which of them it judges.
typedef struct fluid_roles {
  const char *shown[FLUID_VARIANTS];  // why its rows are shown and not judged; null: judged
  bool skipped[FLUID_VARIANTS];       // not run at all
  bool plain;                         // a case of the solvers themselves: their options wait for --release
} fluid_roles;

// Whether the variant is run: what is only shown waits for --release, but for DFSPH, the default solver,
// which
// --quick alone leaves out; so do followed densities and shifting in plain cases.
bool fluid_runs(const validation *v, const fluid_roles *roles, fluid_variant variant);

// The value of the variant, judged or shown; "name, VARIANT" is the row.
void fluid_report(validation *v, const fluid_roles *roles, fluid_variant variant, const measure *m);

// Looks at a world at the k-th time.
typedef mote_result fluid_measure_fn(void *user, mote_world *world, int k, mote_error *error);

typedef struct fluid_run {
  const mote_scene *scene;
  const double *time;  // s, ascending
  int times;
  fluid_measure_fn *measure;
  void *user;
} fluid_run;

// A world of the scene, advanced to each of the times and looked at there.
mote_result fluid_run_scene(const fluid_run *run, const mote_env *env, mote_error *error);
// The same with the variant's solver.
mote_result fluid_run_variant(const fluid_run *run, fluid_variant variant, const mote_env *env,
                              mote_error *error);

// At points: a fit by moving least squares of degree 1, three spacings wide, to the particles' values. Right
// up to walls, for straight profiles. Null where not asked for; velocity: 3 each.
typedef struct fluid_sample {
  const double *position;  // 3 each
  size_t count;
  double *velocity, *pressure;
} fluid_sample;
mote_result fluid_sample_at(const mote_world *world, const mote_world_def *def, const fluid_sample *sample,
                            const mote_env *env, mote_error *error);

// A line of a plot, or points.
typedef struct fluid_curve {
  const char *label;
  const double *x, *y;
  size_t count;
  bool points;
} fluid_curve;
// One panel with all of them, written to NAME in the directory of `mote validate -o`; nothing without one.
void fluid_plot(validation *v, const char *name, const char *x_label, const char *y_label,
                const fluid_curve *curve, int curves);

#endif
