// Contact, once for all: who touches whom, and with which velocities they go on. Everything solid is a
// mote_solid: bodies, which move, and obstacles (walls, colliders), which nothing moves. Samples of a body
// against the distance field of another solid give records; one projected Gauss-Seidel solver with friction
// and restitution finds the impulses. Theory: docs/theory/bodies.md
#ifndef MOTE_CONTACT_H
#define MOTE_CONTACT_H

#include <mote/search.h>
#include <mote/world.h>

#include "base/arena.h"
#include "geom/shape_skin.h"

typedef struct mote_solid {
  const mote_shape *shape;                  // as it was defined
  const mote_skin *skin;                    // null: others meet it, it meets none
  mote_pose pose;                           // where the shape is now
  double x[3];                              // of its reference point
  double v[3], w[3];                        // velocity there, and spin
  double inverse_mass, inverse_inertia[9];  // of obstacles 0
  double radius;                            // of a ball about x that holds it; infinite: without bounds
  double friction, restitution;             // of obstacles NaN: those of the other count
  double push_v[3], push_w[3];              // by which overlap is undone in this step: moves, is no velocity
} mote_solid;

typedef struct mote_contact {
  uint32_t a, b;     // numbers of solids: the body whose sample it is, the solid that it meets
  uint32_t sample;   // three numbers for each sample of the skin
  double point[3];   // half-way between both
  double normal[3];  // out of b
  double image[3];   // by which the solid with the higher number is moved over periodic sides, to be near
  double gap;        // m along the normal; negative: overlap
  double press;      // impulse along the normal, N s
  double drag[3];    // and that of friction
} mote_contact;

// The solids of one step. Bodies come first.
typedef struct mote_contact_scene {
  mote_solid *solid;
  size_t bodies, solids;
  double dt;       // s
  double spacing;  // m: margins and slop are parts of it
  double gravity;  // m/s^2: what is slower than gravity makes it in two steps does not bounce
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

// All records of the scene, in the order of (lower, higher number), a, sample, with impulses 0: what is
// nearer than the margin now, and what comes to it on the way that its velocity goes in the step. `changed`,
// one per solid: only of pairs with one of these, and of which one goes farther than the margin; null: of
// all.
mote_result mote_contact_find(mote_contact_finder *finder, const mote_contact_scene *scene,
                              const uint8_t *changed, mote_contact_set *out, mote_error *error);

// From the reference points of both to the contact.
void mote_contact_arms(const mote_contact_scene *scene, const mote_contact *c, double ra[3], double rb[3]);
// x_i - x_j, to the nearest image.
void mote_contact_between(const mote_contact_scene *scene, const double xi[3], const double xj[3],
                          double out[3]);

// --- Solving: contact.c, contact_warm.c -----------------------------------------------------------------

// -1, 0, 1: the order of mote_contact_find.
int mote_contact_compare(const mote_contact *p, const mote_contact *q);

// The first of the set, in order, from there on that is not before c.
size_t mote_contact_place(const mote_contact_set *set, size_t from, const mote_contact *c);

// Impulses of the last step, where the same sample met the same solid; both in order.
void mote_contact_warm(int threads, mote_contact_set *set, const mote_contact_set *last);

typedef struct mote_contact_report {
  int sweeps;      // of Gauss-Seidel; in a step of all rounds
  double change;   // the largest change of a velocity at a contact in the last, m/s
  double overlap;  // the deepest, m
} mote_contact_report;

// Velocities after the step, and push_v, push_w. Scratch memory is released.
mote_result mote_contact_solve(const mote_contact_scene *scene, mote_contact_set *set, mote_arena *scratch,
                               mote_contact_report *report, mote_error *error);

// The two halves of that: velocities; and push_v, push_w by the same rows, which stay in scratch memory.
// `before`: velocities and spins of the bodies before the step; those of the solids have
// the set's impulses already, and a few sweeps are to mend them. Null: they have not.
typedef struct mote_contact_rows mote_contact_rows;
mote_result mote_contact_solve_rows(const mote_contact_scene *scene, mote_contact_set *set,
                                    const double *before, mote_arena *scratch, mote_contact_rows **out,
                                    mote_contact_report *report, mote_error *error);
void mote_contact_push(mote_contact_rows *rows, mote_contact_set *set);

// --- A step: contact_step.c ---------------------------------------------------------------------------

// Finds and solves until nothing that moves far enters anything. `set` comes in with the impulses of the last
// step and goes out with those of this one. share[k], one per body: the part of its way that body k may go;
// 1 but for what could not be solved.
mote_result mote_contact_step(mote_contact_finder *finder, const mote_contact_scene *scene,
                              mote_contact_set *set, double *share, mote_arena *scratch,
                              mote_contact_report *report, mote_error *error);

#endif
