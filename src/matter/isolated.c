// What is near a new body: see isolated.h. Between bodies boxes stand for distances: a lattice is no fault
// where they say too much, and every order of the bodies gives the same answer.
#include "matter/isolated.h"

#include <math.h>

#include "matter/carve.h"
#include "matter/kind.h"
#include "matter/overlap.h"

// A box, widened by a spacing.
typedef struct box {
  double low[3], high[3];
} box;

static box box_of(const mote_world *world, const mote_shape *shape) {
  box b;
  mote_shape_bounds(shape, b.low, b.high);
  for (int a = 0; a < 3; ++a) b.low[a] -= world->def.spacing, b.high[a] += world->def.spacing;
  return b;
}

// False for boxes that are not known (NaN).
static bool meets(const mote_world *world, const box *b, const double shift[3], const double low[3],
                  const double high[3]) {
  bool met = true;
  for (int a = 0; a < world->def.dimensions; ++a)
    met = met && low[a] + shift[a] < b->high[a] && high[a] + shift[a] > b->low[a];
  return met;
}

// The images of a box, and itself but for that of the body.
static bool meets_image(const mote_world *world, const box *b, const double low[3], const double high[3],
                        bool itself) {
  bool met = itself && meets(world, b, (double[3]){0.0, 0.0, 0.0}, low, high);
  for (int image = 0; image < MOTE_IMAGES && !met; ++image) {
    double shift[3];
    met = mote_overlap_image(&world->domain, image, shift) && meets(world, b, shift, low, high);
  }
  return met;
}

static bool meets_bodies(const mote_world *world, const box *b) {
  bool met = false;
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_BODY) && !met; ++k) {
    double low[3], high[3];
    if (mote_body_at(world, k)->waiting != NULL) continue;
    mote_shape_bounds(mote_body_at(world, k)->shape, low, high);
    met = meets_image(world, b, low, high, true);
  }
  return met;
}

// --- Bodies of the scene that are not there yet --------------------------------------------------------

static mote_result make_boxes(mote_world *world, mote_error *error) {
  mote_coming_bodies *coming = &world->coming;
  if (coming->box != NULL || coming->count == 0) return MOTE_OK;
  MOTE_ALLOC(coming->box, &world->env, coming->count, error);
  for (size_t k = 0; k < coming->count; ++k) {
    mote_shape *shape;
    for (int a = 0; a < 6; ++a) coming->box[k][a] = (double)NAN;
    if (coming->def[k].waits) continue;
    if (mote_shape_create(&coming->def[k].shape, world->def.dimensions, &world->env, &shape, NULL) != MOTE_OK)
      continue;  // an error when its turn comes
    mote_shape_bounds(shape, coming->box[k], coming->box[k] + 3);
    mote_shape_destroy(shape);
  }
  return MOTE_OK;
}

static bool meets_coming(const mote_world *world, const box *b) {
  const mote_coming_bodies *coming = &world->coming;
  bool met = false;
  for (size_t k = coming->first; k < coming->count && !met; ++k)
    met = meets_image(world, b, coming->box[k], coming->box[k] + 3, true);
  return met;
}

// --- After the first step --------------------------------------------------------------------------------

static bool meets_particles(const mote_world *world, const box *b) {
  bool met = false;
  for (int kind = 0; kind < MOTE_KINDS; ++kind) {
    if (world->kind[kind]->group == 0) continue;
    mote_kind_particles p = mote_kind_particles_of(world, (mote_kind)kind);
    for (size_t i = 0; i < p.count && !met; ++i)
      met = meets_image(world, b, p.position + 3 * i, p.position + 3 * i, true);
  }
  return met;
}

mote_result mote_body_is_isolated(mote_world *world, const mote_shape *shape, const double *position,
                                  size_t count, bool *isolated, mote_error *error) {
  MOTE_ASSERT(shape != NULL && (position != NULL || count == 0));
  MOTE_ASSERT(isolated != NULL);
  const box b = box_of(world, shape);
  double low[3], high[3];
  bool met;
  mote_shape_bounds(shape, low, high);
  met = meets_image(world, &b, low, high, false) ||
        (mote_world_steps(world) == 0 ? meets_bodies(world, &b) : meets_particles(world, &b));
  if (!met) MOTE_TRY(mote_cut_near(world, position, count, 1.0, &met, error));
  if (!met) {
    MOTE_TRY(make_boxes(world, error));
    met = meets_coming(world, &b);
  }
  *isolated = !met;
  return MOTE_OK;
}
