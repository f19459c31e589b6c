// The public functions of elastic bodies, <mote/elastic.h>: arguments are checked here and nowhere below, at
// the cost of one pass over the arrays per call.
#include "elastic/elastic_api.h"

#include <math.h>

#include "base/parallel.h"
#include "elastic/elastic_explicit.h"
#include "elastic/elastic_gauss.h"
#include "elastic/elastic_stiffness.h"

#define FREQUENCY_ITERATIONS 60

// --- Checks ---------------------------------------------------------------------------------------------

static mote_result missing(const char *name, mote_error *error) {
  return mote_fail_key(error, name, "is null");
}

mote_result mote_elastic_check_numbers(const char *name, const double *value, size_t count,
                                       mote_error *error) {
  MOTE_ASSERT(name != NULL);
  if (value == NULL) return missing(name, error);
  for (size_t k = 0; k < count; ++k) {
    if (!isfinite(value[k])) return mote_fail_key(error, name, "number %zu is %g", k, value[k]);
  }
  return MOTE_OK;
}

static mote_result check_positive(const char *name, double value, mote_error *error) {
  if (value > 0.0 && isfinite(value)) return MOTE_OK;
  return mote_fail_key(error, name, "is %g, not positive and finite", value);
}

static mote_result check_plastic(const mote_elastic *body, const mote_elastic_motion *motion,
                                 mote_error *error) {
  if (motion->plastic == NULL) return MOTE_OK;
  return mote_elastic_check_numbers("plastic", motion->plastic, 6 * body->count, error);
}

mote_result mote_elastic_check_motion(const mote_elastic *body, const mote_elastic_motion *motion,
                                      bool moving, mote_error *error) {
  if (body == NULL) return missing("body", error);
  if (motion == NULL) return missing("motion", error);
  size_t n = body->count;
  MOTE_TRY(mote_elastic_check_numbers("position", motion->position, 3 * n, error));
  if (moving) MOTE_TRY(mote_elastic_check_numbers("velocity", motion->velocity, 3 * n, error));
  if (motion->before != NULL) {
    MOTE_TRY(check_positive("step", motion->step, error));
    MOTE_TRY(mote_elastic_check_numbers("before", motion->before, 6 * n, error));
  }
  return check_plastic(body, motion, error);
}

mote_result mote_elastic_check_step(const mote_elastic *body, const mote_elastic_motion *motion,
                                    const double *acceleration, double dt, mote_error *error) {
  MOTE_TRY(mote_elastic_check_motion(body, motion, true, error));
  MOTE_TRY(check_positive("dt", dt, error));
  if (acceleration == NULL) return MOTE_OK;
  return mote_elastic_check_numbers("acceleration", acceleration, 3 * body->count, error);
}

// --- Accessors ---------------------------------------------------------------------------------------

size_t mote_elastic_count(const mote_elastic *body) {
  return body->count;
}

const double *mote_elastic_mass(const mote_elastic *body) {
  return body->mass;
}

const double *mote_elastic_volume(const mote_elastic *body) {
  return body->whole_volume;
}

mote_result mote_elastic_spread_load(const mote_elastic *body, size_t count, const double *point,
                                     const double *value, double *out, mote_error *error) {
  if (body == NULL) return missing("body", error);
  if (out == NULL) return missing("out", error);
  if (count > 0) {
    MOTE_TRY(mote_elastic_check_numbers("point", point, 3 * count, error));
    MOTE_TRY(mote_elastic_check_numbers("value", value, 3 * count, error));
  }
  return mote_elastic_spread_to_particles(body, count, point, value, out, error);
}

// --- Forces, energies, strains -----------------------------------------------------------------------

mote_result mote_elastic_find_forces(mote_elastic *body, const mote_elastic_motion *motion, double *force,
                                     mote_error *error) {
  bool moving = body != NULL && motion != NULL && body->damping > 0.0 && motion->before == NULL;
  MOTE_TRY(mote_elastic_check_motion(body, motion, moving, error));
  if (force == NULL) return missing("force", error);
  mote_elastic_forces(body, motion, force);
  return MOTE_OK;
}

mote_result mote_elastic_find_energies(mote_elastic *body, const mote_elastic_motion *motion,
                                       mote_elastic_energies *out, mote_error *error) {
  MOTE_TRY(mote_elastic_check_motion(body, motion, false, error));
  if (out == NULL) return missing("out", error);
  *out = mote_elastic_stored(body, motion);
  return MOTE_OK;
}

mote_result mote_elastic_find_strains(mote_elastic *body, const double *position, double *strain,
                                      double *gradient, mote_error *error) {
  if (body == NULL) return missing("body", error);
  MOTE_TRY(mote_elastic_check_numbers("position", position, 3 * body->count, error));
  mote_elastic_fit(body, position, true, body->fit);
  for (size_t i = 0; i < body->count; ++i) {
    double g[9];
    mote_elastic_gradient(body, body->fit, i, g);
    if (strain != NULL) mote_elastic_strain(g, strain + 6 * i);
    for (size_t e = 0; e < 9 && gradient != NULL; ++e) gradient[9 * i + e] = g[e];
  }
  return MOTE_OK;
}

mote_result mote_elastic_find_stiffness(mote_elastic *body, const mote_elastic_motion *motion,
                                        const double *direction, double *out, mote_error *error) {
  MOTE_TRY(mote_elastic_check_motion(body, motion, false, error));
  MOTE_TRY(mote_elastic_check_numbers("direction", direction, 3 * body->count, error));
  if (out == NULL) return missing("out", error);
  mote_arena_mark mark = mote_arena_here(&body->memory);
  mote_elastic_tangent *tangent = mote_arena_take(&body->memory, body->count, sizeof *tangent);
  mote_result result = MOTE_OK;
  if (tangent == NULL) {
    result = mote_fail_memory(error, body->count * sizeof *tangent);
  } else if (!mote_elastic_stiffness_make(body, motion, false, tangent)) {
    result = mote_fail(error, MOTE_ERROR_NUMERIC, "elastic: a displacement gradient is not finite");
  } else {
    mote_elastic_stiffness_apply(body, tangent, motion->position, direction, out);
  }
  mote_arena_release(&body->memory, mark);
  return result;
}

// --- Steps ------------------------------------------------------------------------------------------------

mote_result mote_elastic_find_limit(mote_elastic *body, double stretch, double *limit, mote_error *error) {
  mote_elastic_frequency frequency;
  if (body == NULL) return missing("body", error);
  if (limit == NULL) return missing("limit", error);
  if (!(stretch >= 1.0) || !isfinite(stretch)) {
    return mote_fail_key(error, "stretch", "is %g, not at least 1 and finite", stretch);
  }
  MOTE_TRY(mote_elastic_frequency_find(body, FREQUENCY_ITERATIONS, &frequency, error));
  *limit = mote_elastic_step_limit(body, &frequency, stretch);
  return MOTE_OK;
}

mote_result mote_elastic_step(mote_elastic *body, const mote_elastic_motion *motion,
                              const double *acceleration, double dt, double *force, mote_error *error) {
  MOTE_TRY(mote_elastic_check_step(body, motion, acceleration, dt, error));
  if (force == NULL) return missing("force", error);
  mote_elastic_explicit_step(body, motion, acceleration, dt, force);
  return MOTE_OK;
}

static mote_result check_law(const mote_plastic_law *law, mote_error *error) {
  if (law == NULL) return missing("law", error);
  if (!(law->yield >= 0.0)) return mote_fail_key(error, "law.yield", "is %g, negative", law->yield);
  if (!(law->rate >= 0.0)) return mote_fail_key(error, "law.rate", "is %g, negative", law->rate);
  if (!(law->most >= 0.0)) return mote_fail_key(error, "law.most", "is %g, negative", law->most);
  return MOTE_OK;
}

mote_result mote_elastic_flow_for(mote_elastic *body, const mote_plastic_law *law,
                                  const mote_elastic_motion *motion, double dt, size_t *flowed,
                                  mote_error *error) {
  MOTE_TRY(check_law(law, error));
  MOTE_TRY(mote_elastic_check_motion(body, motion, false, error));
  MOTE_TRY(check_positive("dt", dt, error));
  if (motion->plastic == NULL) return missing("plastic", error);
  size_t count = mote_elastic_flow(body, law, motion, dt);
  if (flowed != NULL) *flowed = count;
  return MOTE_OK;
}
