// Surfaces with a tangential velocity: see belt.h.
#include "matter/belt.h"

#include <math.h>
#include <string.h>

#define TIME_VARIABLE 3  // the number of t among the variables

bool mote_belt_slides(const mote_collider_item *item) {
  bool any = false;
  for (int a = 0; a < 3; ++a) any = any || item->belt[a].formula != NULL || item->belt[a].constant != 0.0;
  return any;
}

bool mote_belt_varies(const mote_collider_item *item) {
  bool any = false;
  for (int a = 0; a < 3; ++a)
    any = any || (item->belt[a].formula != NULL && mote_formula_uses(item->belt[a].formula, TIME_VARIABLE));
  return any;
}

static void velocity_at(const mote_world *world, const mote_collider_item *item, const double x[3], double t,
                        double v[3]) {
  const double variable[4] = {x[0], x[1], x[2], t};
  for (int a = 0; a < 3; ++a)
    v[a] = a < world->def.dimensions ? mote_quantity_at(&item->belt[a], variable) : 0.0;
}

double mote_belt_speed(const mote_world *world, const mote_collider_item *item, const double *position,
                       size_t count, double t) {
  MOTE_ASSERT(position != NULL || count == 0);
  double most = 0.0;
  for (size_t b = 0; b < count; ++b) {
    double v[3];
    velocity_at(world, item, position + 3 * b, t, v);
    double speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    most = fmax(most, isfinite(speed) ? speed : HUGE_VAL);
  }
  return most;
}

mote_result mote_belt_set(const mote_world *world, mote_boundary *boundary, const mote_collider_item *item,
                          const double *position, double t, mote_error *error) {
  MOTE_ASSERT(position != NULL || item->samples.count == 0);
  size_t count = item->samples.count;
  if (count == 0) return MOTE_OK;
  MOTE_ALLOC_NEW(float, velocity, &world->env, 3 * count, error);
  bool finite = true;
  for (size_t b = 0; b < count; ++b) {
    double v[3];
    velocity_at(world, item, position + 3 * b, t, v);
    for (size_t a = 0; a < 3; ++a) {
      velocity[3 * b + a] = (float)v[a];
      finite = finite && isfinite(v[a]);
    }
  }
  mote_result result = mote_boundary_set_belt(boundary, item->samples, velocity, error);
  mote_free(&world->env, velocity, 3 * count, sizeof *velocity);
  if (result != MOTE_OK || finite) return result;
  return mote_fail(error, MOTE_ERROR_NUMERIC, "the surface velocity of \"%s\" is not finite everywhere",
                   item->name);
}
