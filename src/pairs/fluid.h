// The data that the stages of a fluid step share (docs/theory/fluids.md). All arrays have one row per fluid
// particle, in the order of the store's FLUID rows; vectors are three together.
//
// Densities are relative: D_i = rho_i / rho0_i = V_i W(0) + sum_j V_j W_ij + sum_b V_b W_ib with rest volumes
// V = m / rho0, so that several densities and walls need no special case. Pressure acts as
//   a_i = -(1/rho0_i) [ P_i (g_i + G_i) + sum_j V_j P_j grad W_ij + sum_b V_b P_b grad W_ib ],  P = p / D^2,
// which is EG09 (51) for one fluid; g_i = sum_j V_j grad W_ij and G_i = sum_b V_b grad W_ib are computed
// once a step. Wall samples with fluid neighbours have pressures: WCSPH computes them from their densities
// like the fluid's, iterative solvers as means over the neighbouring particles (wall_pressure.h).
//
// The stages, in the order of a step:
//   mote_fluid_prepare      prepare.h          neighbours, densities, sums over walls
//   solve_divergence        pressure_solver.h  where the solver has one: removes compression from velocities
//   mote_fluid_forces       viscosity.h        acceleration = gravity + explicit viscosity
//   mote_tension_forces     tension.h          adds surface tension; the world adds force fields
//   mote_fluid_step_limit   time_limit.h       longest stable step
//   mote_fluid_accelerate   viscosity.h        velocity += dt acceleration
//   mote_viscous_solve      viscous_solve.h    implicit viscosity, where the step has it
//   mote_fluid_smooth       xsph.h             XSPH, before an iterative pressure solve, else after it
//   solve                   pressure_solver.h  velocity += dt times the acceleration by pressure
//   the world moves the particles by velocity
//   mote_shift_settle       shift.h            removes the shift of this step from velocity
#ifndef MOTE_FLUID_H
#define MOTE_FLUID_H

#include <mote/scene.h>

#include "base/arena.h"
#include "material/tension_plane.h"
#include "rows/target_row.h"
#include "rows/wall_friction_row.h"
#include "search/grid.h"

// Outcome of a pressure solve.
typedef struct mote_solve_report {
  int iterations;
  double error;  // mean over all particles, as a fraction: compression, and expansion where there is pressure
  bool converged;
} mote_solve_report;

#define MOTE_BOUNDARY_PARTS 2

// See packing_spectrum.h.
typedef struct mote_packing_spectrum {
  double density, diagonal, largest;
  double reach;  // m^2, of central viscosity
} mote_packing_spectrum;

typedef struct mote_individual_steps mote_individual_steps;

// Samples of one collider, as in mote_boundary_range, and the impulse of pressure on them.
typedef struct mote_wall_probe {
  bool moving;
  size_t first, count;
  double impulse[3];  // N s
} mote_wall_probe;

typedef struct mote_fluid {
  // The world's constants.
  mote_env env;
  mote_arena *scratch;  // the step's memory: the world marks it before and releases it after the step
  mote_solver_def solver;
  mote_domain domain;
  double spacing, support;  // m
  double low[3],
      high[3];         // of the positions of all particles, at the last search: cells are counted from there
  double sound_speed;  // m/s; WCSPH without a stiffness: mote_law_sound_speed of the expected speed
  double densest;      // kg/m^3: with several densities, that of sound_speed; 0: there is one
  float gravity[3];
  mote_kernel kernel;  // zero at first; mote_fluid_make_kernel makes it, such that D = 1 on a packing at rest
  mote_packing_spectrum spectrum;  // the same
  mote_surface_density surface;    // the same
  mote_tension_plane plane;        // zero; made where a material has a tension (tension.h)

  // State, in the store.
  size_t count;
  const double *position;
  float *velocity;
  const float *mass;
  float *pressure;             // Pa; initial values of the next solve; DFSPH: the sum of both solves'
  float *divergence_pressure;  // Pa; DFSPH: of the divergence-free solve; else 0
  float *density;              // kg/m^3
  float *acceleration;         // of all forces but pressure
  float *compression;          // D - 1 where densities are followed, else null

  // Where steps are individual (individual_steps.h): of each tick. Loops over targets use the active rows.
  mote_individual_steps *steps;  // null: one step for all
  const uint32_t *active;        // rows, in order; null: all
  const uint8_t *is_active;      // of each particle; null with `active`
  size_t active_count;

  // Of the material of each particle.
  const float *rest_density, *viscosity, *xsph;  // xsph may be null: none
  bool viscosity_varies;                         // within a material, by its temperature
  const struct mote_tension *tension;            // of pairs of materials; null: none (tension.h)
  const uint32_t *kind;                          // + of each particle in it; null without
  const float *stiffness;  // K of a law of its own, DES96 (6), Pa; 0: the solver's law; null: all have that
  const float *damping;    // with it: alpha of each

  // Derived, in the step's scratch memory: made by mote_fluid_prepare. Rows marked + have one more, the
  // dummy's, which is 0.
  float *volume;               // + V = m / rho0
  float *relative;             // + D
  float *gradient;             // g
  float *alone;                // the part of D by itself and by samples, where bodies float; else null
  float *free_surface_ghosts;  // part of `relative` by ghosts of the gas; null: none (free_surface_ghosts.c)
  struct mote_gradient_fix *linear;  // L of the neighbours in the fluid (gradient_correction.h); null: none
  struct mote_gradient_fix
      *corrected;            // L, or the identity, in rates of compression (consistent.h); null: none
  float *diagonal;           // V_i sum_j V_j / rho0_j |grad W_ij|^2; WCSPH: null
  float *wall;               // G
  float *matrix;             // a bound of A_ii, with walls (wall_pressure.h); WCSPH: null
  float *wall_flow;          // sum_b V_b v_b . grad W_ib
  bool implicit;             // viscosity of this step: decided by mote_fluid_forces
  float *wall_friction_sum;  // four: sum_b f_b V_b c_ib (v_b, 1), grad W = c x_ij, f the friction; null: none
  float *shift;              // m/s; the part of velocity for this step's motion only; null: none
  mote_fixed_position *fixed_position;  // +
  float *mobility;                      // + V / rho0
  mote_pair_view pairs;                 // of fluid neighbours
  mote_wall_pairs walls[MOTE_BOUNDARY_PARTS];

  // Coupled rigid bodies (coupled_body.h): the world's, of this step, in the order of their samples.
  struct mote_coupled_body *coupled;
  size_t coupled_count;
  uint32_t *touched;  // those with samples near particles: made by mote_coupled_prepare
  size_t touched_count;

  bool counts_wall_work;  // set for the world's energy ledger
  double wall_work;       // J, of moving walls in this step (wall_work.h)
  // Colliders with force probes: impulses of pressure in this step; null: none.
  mote_wall_probe *wall_probe;
  size_t wall_probes;
} mote_fluid;

// The relative density that determines pressure: `relative`, or the followed one.
static inline float mote_fluid_relative(const mote_fluid *fluid, size_t i) {
  return fluid->compression != NULL ? 1.0f + fluid->compression[i] : fluid->relative[i];
}

// The form of viscosity in this step.
static inline mote_viscosity_form mote_fluid_viscosity_form(const mote_fluid *fluid) {
  mote_viscosity_form form = fluid->solver.viscosity_form;
  return form == MOTE_VISCOSITY_FORM_AUTO ? MOTE_VISCOSITY_CENTRAL : form;
}

static inline mote_wall_friction_law mote_wall_friction_law_of(const mote_fluid *fluid) {
  return (mote_wall_friction_law){mote_fluid_viscosity_form(fluid) == MOTE_VISCOSITY_CENTRAL,
                                  (float)fluid->domain.dimensions, (float)fluid->spectrum.reach};
}

// Targets: their number, and the row of number k.
static inline size_t mote_fluid_rows(const mote_fluid *fluid) {
  return fluid->active != NULL ? fluid->active_count : fluid->count;
}
static inline size_t mote_fluid_row(const mote_fluid *fluid, size_t k) {
  return fluid->active != NULL ? fluid->active[k] : k;
}
static inline bool mote_fluid_is_target(const mote_fluid *fluid, size_t i) {
  return fluid->is_active == NULL || fluid->is_active[i];
}

// Targets of one task: of loops over neighbours, and of light ones, which small fluids do on one thread.
#define MOTE_FLUID_GRAIN 64
#define MOTE_FLUID_LIGHT_GRAIN 1024

#endif
