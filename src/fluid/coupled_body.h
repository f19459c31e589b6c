// Rigid bodies in a fluid (docs/theory/bodies.md, "Fluids"): forces of the fluid on their samples, opposite
// to those of the samples on the fluid, summed to impulses; and the resulting velocities of the samples.
// Bodies are those of fluid->coupled; the world creates them, and reads their impulses.
#ifndef MOTE_COUPLED_BODY_H
#define MOTE_COUPLED_BODY_H

#include "fluid/pressure.h"
#include "pairs/boundary.h"

// Members that every iteration of a solve reads come first; of particles it reads no others.
typedef struct mote_coupled_body {
  size_t first, end;  // rows of the fluid's walls: samples with fluid neighbours
  double radius;      // of a ball about x that contains the body; 0: a particle, which does not rotate
  double inverse_mass;
  double velocity[3];        // now
  double impulse[3];         // by the fluid, since the world last read it
  double pressure_force[3];  // by pressures, during their solve
  double pressure_torque[3];
  double spin[3], twist[3];  // as velocity and impulse
  double x[3];               // reference point
  double inverse_inertia[9];
  mote_boundary_range samples;  // of the part that moves; ranges ascend
  double given[3];              // elastic particles: impulses already applied in this step
  double force[3], torque[3];   // explicit friction of this step
} mote_coupled_body;

// The walls that bodies are part of.
static inline const mote_wall_pairs *mote_coupled_walls(const mote_fluid *fluid) {
  return &fluid->walls[MOTE_BOUNDARY_PARTS - 1];
}

// Bodies per task: there may be few large bodies, or thousands of one sample.
static inline size_t mote_coupled_grain(const mote_fluid *fluid) {
  return 1 + fluid->touched_count / 256;
}

// Finds the rows and the bodies that have any. After mote_boundary_gather.
mote_result mote_coupled_prepare(mote_fluid *fluid, mote_error *error);

// Number n of the bodies that have rows.
static inline mote_coupled_body *mote_coupled_touched(const mote_fluid *fluid, size_t n) {
  return &fluid->coupled[fluid->touched[n]];
}

// Explicit friction by the present velocities: writes force and torque, 0 without friction.
mote_result mote_coupled_friction(mote_fluid *fluid, bool any, mote_error *error);

// An upper bound of the speed of its points, m/s.
double mote_coupled_speed(const mote_coupled_body *body);

// Weights of friction (wall_friction_row.h) between sample b and four particles, and particle i and four
// samples of the walls; of the dummies 0.
mote_lane mote_coupled_friction_of_sample(const mote_fluid *fluid, size_t b, const uint32_t *index);
mote_lane mote_coupled_friction_of_particle(const mote_fluid *fluid, size_t i, const uint32_t *index);

// Applies an impulse to a body.
void mote_coupled_add_impulse(mote_coupled_body *body, const double impulse[3], const double twist[3]);

// Applies force and torque for dt seconds.
void mote_coupled_accelerate(mote_fluid *fluid, double dt);

// Pressures for the forces on samples, the opposite of mote_pressures_accelerate. `volume` and `weight` are
// V_j of particles and the counted part of V_b: those of the fluid, or of a pair form.
typedef struct mote_coupled_pressure {
  const float *pressure_volume, *wall_pressure_volume;  // + of particles and rows
  const float *volume, *weight;  // + the same; volume null: the fluid's, whose sums are available
} mote_coupled_pressure;
mote_result mote_coupled_apply_pressure(mote_fluid *fluid, const mote_coupled_pressure *pressure, double dt,
                                        mote_error *error);

// Updates the velocities of samples from those of the bodies: velocity and flow of the walls, and
// wall_flow.
mote_result mote_coupled_flow(mote_fluid *fluid, mote_error *error);
// The same with the caller's memory for V u of each row and the dummy.
void mote_coupled_flow_by(mote_fluid *fluid, mote_flow *flow);

// Forces on the samples of one part, three per row.
void mote_wall_forces(const mote_fluid *fluid, const mote_wall_pairs *walls,
                      const mote_coupled_pressure *pressure, float *force);
// The same forces for a solve that repeats them: `force`, three per row, is the caller's.
void mote_coupled_forces(const mote_fluid *fluid, const mote_coupled_pressure *pressure, float *force);
// Force and torque of a body's rows, in their order.
void mote_coupled_sum_forces(const mote_fluid *fluid, const mote_coupled_body *body, const float *force,
                             double F[3], double torque[3]);
// Sums forces over bodies, and applies them for dt seconds.
void mote_coupled_apply_forces(mote_fluid *fluid, const float *force, double dt);

#endif
