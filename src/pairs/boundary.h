// Samples of walls (Akinci et al. 2012; EG09 (55)) and what they add to fluid particles, taken once a step.
// A boundary has two parts: what never moves, sorted once, and what may move, sorted again after it has.
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

// Gives the surface of a range a velocity along itself, three numbers a sample: friction drags with it, but
// the samples stay where they are, so that it compresses nothing.
mote_result mote_boundary_set_belt(mote_boundary *boundary, mote_boundary_range range, const float *velocity,
                                   mote_error *error);

// Says whose the samples of a range are, not 0: those of others may come and go, and do not count as theirs.
mote_result mote_boundary_set_owner(mote_boundary *boundary, mote_boundary_range range, uint32_t owner,
                                    mote_error *error);

// Moves the samples of a moving range: x = R (x0 - pivot) + pivot + move from where they were added, and
// v = velocity + spin x (x - pivot - move).
void mote_boundary_pose(mote_boundary *boundary, mote_boundary_range range, const mote_pose *pose,
                        const double velocity[3], const double spin[3]);

// Puts each sample of a moving range where it is now, three numbers each. They may come nearer to each other:
// what they have of their own part is summed anew.
void mote_boundary_place(mote_boundary *boundary, mote_boundary_range range, const double *position,
                         const double *velocity);

size_t mote_boundary_count(const mote_boundary *boundary);

// Writes of each particle whether samples that move may be near.
mote_result mote_boundary_near_moving(mote_boundary *boundary, mote_fluid *fluid, uint8_t *near,
                                      mote_error *error);

// Adds sum_b V_b W_ib to relative, and writes wall, wall_flow, wall_drag and walls. Part of
// mote_fluid_prepare, which has made the rest; `grid` holds the fluid.
mote_result mote_boundary_gather(mote_boundary *boundary, mote_fluid *fluid, mote_grid *grid,
                                 mote_error *error);

#endif
