// Initial velocities of a body: see first_velocity.h.
#include "matter/first_velocity.h"

#include "base/check.h"

void mote_first_velocity_free(mote_first_velocity *v) {
  MOTE_ASSERT(v != NULL);
  for (int a = 0; a < 3; ++a) mote_formula_destroy(v->formula[a]);
}

static void find_centre(const double *position, size_t count, double centre[3]) {
  for (int a = 0; a < 3; ++a) {
    double sum = 0.0;
    for (size_t i = 0; i < count; ++i) sum += position[3 * i + a] - position[a];
    centre[a] = position[a] + sum / (double)count;
  }
}

mote_result mote_first_velocity_make(const mote_body_def *def, const double *position, size_t count,
                                     const mote_env *env, mote_first_velocity *v, mote_error *error) {
  MOTE_ASSERT(position != NULL || count == 0);
  MOTE_ASSERT(def != NULL && v != NULL);
  const mote_value *value[3] = {&def->velocity.x, &def->velocity.y, &def->velocity.z};
  mote_result result = MOTE_OK;
  find_centre(position, count, v->centre);
  for (int a = 0; a < 3 && result == MOTE_OK; ++a) {
    v->constant[a] = value[a]->constant;
    v->spin[a] = def->spin[a];
    if (value[a]->formula == NULL) continue;
    result = mote_formula_create(value[a]->formula, "x y z", env, &v->formula[a], error);
  }
  return mote_fail_within(error, result, "velocity");
}

void mote_first_velocity_at(const mote_first_velocity *v, const double x[3], int dimensions, double out[3]) {
  MOTE_ASSERT(dimensions == 2 || dimensions == 3);
  const double *w = v->spin, r[3] = {x[0] - v->centre[0], x[1] - v->centre[1], x[2] - v->centre[2]};
  const double turn[3] = {w[1] * r[2] - w[2] * r[1], w[2] * r[0] - w[0] * r[2], w[0] * r[1] - w[1] * r[0]};
  for (int a = 0; a < 3; ++a) {
    double u = v->formula[a] != NULL ? mote_formula_value(v->formula[a], x) : v->constant[a];
    out[a] = a < dimensions ? u + turn[a] : 0.0;
  }
}
