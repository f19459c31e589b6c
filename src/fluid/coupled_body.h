// Rigid bodies in a fluid (docs/theory/bodies.md, "Fluids"): what the fluid does to their samples, which is
// the opposite of what these do to it, summed to impulses; and the velocities that the samples have of it.
// Bodies are those of fluid->wet; the world makes them, and takes the impulses over.
#ifndef MOTE_COUPLED_BODY_H
#define MOTE_COUPLED_BODY_H

#include "fluid/pressure.h"
#include "pairs/boundary.h"

typedef struct mote_wet_body {
  mote_boundary_range samples;  // of the part that moves; ranges ascend
  size_t first, end;            // those of them near fluid: rows of its walls
  double x[3];                  // reference point
  double radius;                // of a ball about it that holds the body
  double inverse_mass, inverse_inertia[9];
  double velocity[3], spin[3];       // now
  double impulse[3], twist[3];       // by the fluid, since the world has taken them over
  double given[3];                   // elastic particles: impulses that were taken over in this step
  double force[3], torque[3];        // explicit friction of this step
  double press[3], press_torque[3];  // by pressures, while these are solved for
} mote_wet_body;

// The walls that bodies are part of.
static inline const mote_wall_pairs *mote_wet_walls(const mote_fluid *fluid) {
  return &fluid->walls[MOTE_BOUNDARY_PARTS - 1];
}

// Bodies of a chunk of work: there may be few large ones, or thousands of one sample.
static inline size_t mote_wet_grain(const mote_fluid *fluid) {
  return 1 + fluid->wets / 256;
}

// Finds the rows. After mote_boundary_gather.
void mote_wet_prepare(mote_fluid *fluid);

// Explicit friction by the velocities now: writes force and torque; 0 where there is none.
mote_result mote_wet_friction(mote_fluid *fluid, bool any, mote_error *error);

// No point of it is faster.
double mote_wet_speed(const mote_wet_body *body);

// Weights of friction (wall_friction.c) between sample b and four particles, and particle i and four samples
// of the walls; of the dummies 0.
mote_lane mote_wet_drag_of_sample(const mote_fluid *fluid, const mote_pair_scale *scale, size_t b,
                                  const uint32_t *index);
mote_lane mote_wet_drag_of_particle(const mote_fluid *fluid, const mote_pair_scale *scale, size_t i,
                                    const uint32_t *index);

// Gives an impulse to a body.
void mote_wet_hit(mote_wet_body *body, const double impulse[3], const double twist[3]);

// Gives force and torque, for dt seconds.
void mote_wet_accelerate(mote_fluid *fluid, double dt);

// Forces on samples, three a row: of pushes and of the walls' pushes, the opposite of
// mote_pressures_accelerate. `volume` and `weight` are V_j of particles and what of V_b counts: those of the
// fluid, or of a pair form.
typedef struct mote_wet_push {
  const float *push, *wall_push;  // + of particles and rows
  const float *volume, *weight;   // + the same; volume null: the fluid's, whose sums are there
} mote_wet_push;
mote_result mote_wet_press(mote_fluid *fluid, const mote_wet_push *push, double dt, mote_error *error);

// Samples get the velocities that the bodies have now: velocity and flow of the walls, and wall_flow.
mote_result mote_wet_flow(mote_fluid *fluid, mote_error *error);
// With room for V u of each row and the dummy.
void mote_wet_flow_by(mote_fluid *fluid, mote_flow *flow);

// The same forces for a solve that repeats them: `force`, three a row, is the caller's.
void mote_wet_forces(const mote_fluid *fluid, const mote_wet_push *push, float *force);
// Force and torque of a body's rows, in their order.
void mote_wet_sum(const mote_fluid *fluid, const mote_wet_body *body, const float *force, double F[3],
                  double torque[3]);
// Sums forces over bodies, and gives them times dt.
void mote_wet_give(mote_fluid *fluid, const float *force, double dt);

#endif
