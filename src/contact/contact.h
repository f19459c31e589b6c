// Contact of rigid bodies: which obstacles (obstacle.h) are in contact, and their velocities after the step.
// Obstacles are bodies, which move, and obstacles (walls, colliders), which no impulse moves. Samples of a
// body tested against the distance field of another obstacle give contact records; a projected Gauss-Seidel
// solver with friction and restitution finds the impulses. Theory: docs/theory/bodies.md
#ifndef MOTE_CONTACT_H
#define MOTE_CONTACT_H

#include <mote/search.h>
#include <mote/world.h>

#include "base/arena.h"
#include "contact/obstacle.h"

typedef struct mote_contact {
  uint32_t a, b;     // indices of obstacles: the body that owns the sample, and the obstacle it meets
  uint32_t sample;   // three numbers for each contact sample
  double point[3];   // midway between both surfaces
  double normal[3];  // out of b
  double
      image[3];  // shift over periodic sides that brings the obstacle with the higher index next to the other
  double gap;    // m along the normal; negative: overlap
  double normal_impulse;       // N s
  double friction_impulse[3];  // N s
  double impact[3];            // N s: impulse of bounces on a, beside the two others
} mote_contact;

// The obstacles of one step, bodies first.
typedef struct mote_contact_scene {
  mote_obstacle *obstacle;
  size_t bodies, obstacles;
  double dt;       // s
  double spacing;  // m: unit of margins and allowed overlap
  double gravity;  // m/s^2: approach velocities below that of two steps of gravity do not bounce
  int dimensions;
  int threads;
  const mote_domain *domain;  // null: no periodic sides
} mote_contact_scene;

typedef struct mote_contact_set {
  mote_contact *contact;
  size_t count, capacity;
} mote_contact_set;

// --- Finding: contact_find.c, contact_broad.c ---------------------------------------------------------

typedef struct mote_contact_finder mote_contact_finder;

mote_result mote_contact_finder_create(const mote_env *env, mote_contact_finder **out, mote_error *error);
void mote_contact_finder_destroy(mote_contact_finder *finder);

// All records of the scene, ordered by (lower index, higher index), a, sample, with zero impulses: samples
// closer than the margin now, and samples that reach the margin within the step at their current velocity.
// `changed`, one per obstacle: only pairs with a changed obstacle, and of these only samples of the second
// kind; null: all pairs.
mote_result mote_contact_find(mote_contact_finder *finder, const mote_contact_scene *scene,
                              const uint8_t *changed, mote_contact_set *out, mote_error *error);

// Vectors from both reference points to the contact point.
void mote_contact_arms(const mote_contact_scene *scene, const mote_contact *c, double ra[3], double rb[3]);
// x_i - x_j, nearest periodic image.
void mote_contact_between(const mote_contact_scene *scene, const double xi[3], const double xj[3],
                          double out[3]);

// --- Solving: contact.c, contact_warm.c -----------------------------------------------------------------

// -1, 0 or 1 in the order of mote_contact_find.
int mote_contact_compare(const mote_contact *p, const mote_contact *q);

// Index of the first contact from `from` on that is not ordered before c.
size_t mote_contact_lower_bound(const mote_contact_set *set, size_t from, const mote_contact *c);

// Copies the impulses of the last step where the same sample met the same obstacle. Both sets are ordered.
void mote_contact_warm_start(int threads, mote_contact_set *set, const mote_contact_set *last);

// Of contacts that are solved elsewhere: orders them; leaves out those of marked bodies; adds impulses where
// `set` has the contact, else the contact.
void mote_contact_order(mote_contact_set *set);
void mote_contact_leave_out(const uint8_t *body, size_t bodies, mote_contact_set *set);
mote_result mote_contact_add_impulses(const mote_env *env, const mote_contact_set *more,
                                      mote_contact_set *set, mote_error *error);

typedef struct mote_contact_report {
  int sweeps;      // Gauss-Seidel sweeps, of all rounds of the step
  double change;   // largest change of a contact velocity in the last sweep, m/s
  double overlap;  // deepest, m
  size_t islands;  // solved directly
} mote_contact_report;

// The velocities after the step; then correction_velocity and correction_spin from the
// same rows, which stay in scratch memory. `start`: velocities and spins of the bodies without the impulses
// of the rows but with those of impacts, which this adds. `again`: the velocities of the obstacles already
// contain the set's impulses and a few sweeps suffice; else `start` comes in undefined.
typedef struct mote_contact_rows mote_contact_rows;
mote_result mote_contact_solve_rows(const mote_contact_scene *scene, mote_contact_set *set, double *start,
                                    bool again, mote_arena *scratch, mote_contact_rows **out,
                                    mote_contact_report *report, mote_error *error);
// Velocities and spins of the bodies, 6 numbers each.
void mote_contact_velocities(const mote_contact_scene *scene, double *out);
mote_result mote_contact_correct_overlap(mote_contact_rows *rows, mote_contact_set *set, mote_arena *scratch,
                                         mote_error *error);

// --- A step: contact_step.c ---------------------------------------------------------------------------

// Finds and solves contacts until no fast obstacle enters another. `set` comes in with the impulses of the
// last step and goes out with those of this step. share[k], one per body: the fraction of its displacement
// that body k may make; 1 except where a contact could not be solved.
mote_result mote_contact_step(mote_contact_finder *finder, const mote_contact_scene *scene,
                              mote_contact_set *set, double *share, mote_arena *scratch,
                              mote_contact_report *report, mote_error *error);

#endif
