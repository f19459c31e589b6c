// Samples of walls (Akinci et al. 2012; EG09 (55)) and their sums at fluid particles, computed once a step.
// A boundary has two parts: samples that never move, sorted once, and samples that may move, sorted again
// after each move.
#ifndef MOTE_BOUNDARY_H
#define MOTE_BOUNDARY_H

#include <mote/geom.h>
#include <mote/world.h>

#include "pairs/fluid.h"

typedef struct mote_boundary mote_boundary;

// `support` is the radius of the kernel in m.
mote_result mote_boundary_create(const mote_domain *domain, double support, const mote_env *env,
                                 mote_boundary **out, mote_error *error);
void mote_boundary_destroy(mote_boundary *boundary);

// Samples of one collider.
typedef struct mote_boundary_range {
  bool moving;
  size_t first, count;
} mote_boundary_range;

// Adds samples at rest with friction 0 (slip) to 1 (no slip). On failure the boundary is as before.
mote_result mote_boundary_add(mote_boundary *boundary, const mote_samples *samples, double friction,
                              bool moving, mote_boundary_range *out, mote_error *error);

// The positions at which the samples were added.
const double *mote_boundary_rest(const mote_boundary *boundary, mote_boundary_range range);

// Sets a tangential surface velocity (conveyor belt), three numbers per sample: it enters friction only; the
// samples do not move, nor do they compress fluid by it.
mote_result mote_boundary_set_belt(mote_boundary *boundary, mote_boundary_range range, const float *velocity,
                                   mote_error *error);

// Multiplies the friction of a range's samples by `factor`, from 0 to 1 each.
void mote_boundary_weaken(mote_boundary *boundary, mote_boundary_range range, const float *factor);

// Sets the owner of a range's samples, not 0. A sample's sum over its own part counts samples of the same
// owner only, since those of other bodies change.
mote_result mote_boundary_set_owner(mote_boundary *boundary, mote_boundary_range range, uint32_t owner,
                                    mote_error *error);

// Moves the samples of a moving range: x = R (x0 - pivot) + pivot + move from where they were added, and
// v = velocity + spin x (x - pivot - move).
void mote_boundary_pose(mote_boundary *boundary, mote_boundary_range range, const mote_pose *pose,
                        const double velocity[3], const double spin[3]);

// Sets the positions and velocities of a moving range, three numbers per sample. Distances between the
// samples may change, so their sums over their own part are computed again.
void mote_boundary_set_positions(mote_boundary *boundary, mote_boundary_range range, const double *position,
                                 const double *velocity);

// The sums of moving samples over their own part are computed again, at their present positions.
void mote_boundary_renew_sums(mote_boundary *boundary);

// Writes for each particle whether moving samples may be within the support radius.
mote_result mote_boundary_near_moving(mote_boundary *boundary, mote_fluid *fluid, uint8_t *near,
                                      mote_error *error);

// Adds sum_b V_b W_ib to relative, and writes wall, wall_flow, wall_friction_sum and walls. Part of
// mote_fluid_prepare, after mote_pairs_find; `grid` holds the fluid's particles.
mote_result mote_boundary_gather(mote_boundary *boundary, mote_fluid *fluid, mote_grid *grid,
                                 mote_error *error);

#endif
