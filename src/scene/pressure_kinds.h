// Properties of the pressure solvers: the one place that says in what they differ. Their functions are in
// fluid/pressure_solver.c. A new solver is a value and a keyword in mote/scene.h, a row here and a row there.
#ifndef MOTE_PRESSURE_KINDS_H
#define MOTE_PRESSURE_KINDS_H

#include <mote/scene.h>

#include "base/check.h"

typedef struct mote_pressure_properties {
  const char *name;
  bool has_sound_speed;         // pressure is a function of density: sound limits the step
  bool needs_diagonal;          // iterative: prepare computes the diagonal of the pressure matrix
  bool keeps_gradient_factors;  // iterations read c of grad W_ij = c x_ij so often that it is stored per pair
  bool smooths_before_solve;    // XSPH after it would reintroduce compression
  bool predicts_supported;      // reads the velocities that supported bodies will have
  bool shifts_crowded;  // particles that are too close move apart without gaining speed (fluid/shift.h)
  bool allows_individual_steps;  // evaluates active particles alone
  bool allows_followed_density;  // `density: followed`
  bool allows_own_stiffness;     // materials with a stiffness, DES96 (6)
  double artificial_viscosity;   // alpha of DES96 (5) where the scene gives none
  // Longest step with consistent rates, of d over the root of the mean p / rho; 0: not limited.
  double pressure_step;
} mote_pressure_properties;

static inline const mote_pressure_properties *mote_pressure_kind_properties(mote_pressure_kind kind) {
  static const mote_pressure_properties kinds[MOTE_PRESSURE_KINDS] = {
      [MOTE_PRESSURE_WCSPH] = {.name = "WCSPH",
                               .has_sound_speed = true,
                               .allows_individual_steps = true,
                               .allows_followed_density = true,
                               .allows_own_stiffness = true,
                               .artificial_viscosity =
                                   0.06},  // brings the noise of sound to rest; chosen by eye
      [MOTE_PRESSURE_DFSPH] = {.name = "DFSPH",
                               .needs_diagonal = true,
                               .keeps_gradient_factors = true,
                               .smooths_before_solve = true,
                               .predicts_supported = true,
                               .shifts_crowded = true},
      [MOTE_PRESSURE_PCISPH] = {.name = "PCISPH",
                                .needs_diagonal = true,
                                .smooths_before_solve = true,
                                .predicts_supported = true,
                                .shifts_crowded = true,
                                .pressure_step = 0.14},  // docs/theory/fluids.md, "Time steps"
  };
  MOTE_ASSERT((unsigned)kind < MOTE_PRESSURE_KINDS);
  return &kinds[kind];
}

static inline const mote_pressure_properties *mote_pressure_properties_of(const mote_solver_def *solver) {
  return mote_pressure_kind_properties(solver->pressure);
}

// Whether densities are integrated in time rather than summed.
static inline bool mote_pressure_follows_density(const mote_solver_def *solver) {
  return mote_pressure_properties_of(solver)->allows_followed_density &&
         solver->density == MOTE_DENSITY_FOLLOWED;
}

// Whether rates of compression are exact on linear velocity fields (fluid/consistent.h).
static inline bool mote_pressure_has_consistent_rates(const mote_solver_def *solver) {
  return solver->consistent && mote_pressure_properties_of(solver)->needs_diagonal;
}

#endif
