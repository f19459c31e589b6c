// Creation and destruction of the implicit solver of elastic bodies: see elastic_system.h.
#include "elastic/elastic_system.h"

#include <string.h>

#include "geom/triple.h"

mote_elastic_implicit_def mote_elastic_implicit_def_default(void) {
  return (mote_elastic_implicit_def){
      .scheme = MOTE_ELASTIC_EULER, .tolerance = 1e-8, .newton_max = 30, .cg_tolerance = 3e-2, .cg_max = 500};
}

static mote_result take_all(mote_elastic_implicit *s, mote_elastic *const *body, size_t bodies,
                            mote_error *error) {
  MOTE_TRY(mote_elastic_group_make(body, bodies, &s->memory, &s->group, error));
  size_t n = s->group.count;
  MOTE_TAKE(s->before, &s->memory, 6 * n, error);
  MOTE_TAKE(s->diagonal, &s->memory, n, error);
  MOTE_TAKE(s->product, &s->memory, bodies, error);
  MOTE_TAKE(s->factor, &s->memory, bodies, error);
  MOTE_TAKE(s->made, &s->memory, 3 * bodies, error);
  MOTE_TAKE(s->still, &s->memory, bodies, error);
  s->group.still = s->still;
  memset(s->made, 0, 3 * bodies * sizeof *s->made);
  memset(s->factor, 0, bodies * sizeof *s->factor);
  for (size_t k = 0; k < bodies; ++k) {
    s->inverse_unit = max2(s->inverse_unit, body[k]->inverse_unit);
    s->damped |= body[k]->damping > 0.0;
    MOTE_TRY(mote_elastic_product_init(&s->product[k], body[k], &s->memory, error));
  }
  if (s->def.scheme != MOTE_ELASTIC_MIDPOINT) return MOTE_OK;
  return mote_elastic_midpoint_init(&s->middle, &s->group, &s->memory, error);
}

static mote_result check_def(const mote_elastic_implicit_def *def, mote_error *error) {
  if (def == NULL) return mote_fail_key(error, "def", "is null");
  if ((unsigned)def->scheme >= MOTE_ELASTIC_SCHEMES) return mote_fail_key(error, "scheme", "is unknown");
  if (!(def->tolerance > 0.0))
    return mote_fail_key(error, "tolerance", "is %g, not positive", def->tolerance);
  if (!(def->cg_tolerance > 0.0))
    return mote_fail_key(error, "cg_tolerance", "is %g, not positive", def->cg_tolerance);
  if (def->newton_max < 1) return mote_fail_key(error, "newton_max", "is %d, not positive", def->newton_max);
  if (def->cg_max < 1) return mote_fail_key(error, "cg_max", "is %d, not positive", def->cg_max);
  return MOTE_OK;
}

mote_result mote_elastic_implicit_create_group(const mote_elastic_implicit_def *def,
                                               mote_elastic *const *body, size_t bodies,
                                               mote_elastic_implicit **out, mote_error *error) {
  MOTE_ASSERT(body != NULL || bodies == 0);
  MOTE_ASSERT(out != NULL);
  MOTE_TRY(check_def(def, error));
  if (bodies == 0) return mote_fail_key(error, "bodies", "is 0");
  mote_env env = body[0]->env;
  MOTE_ALLOC_NEW(mote_elastic_implicit, s, &env, 1, error);
  *s = (mote_elastic_implicit){.def = *def, .env = env, .memory = mote_arena_make(&env)};
  mote_result result = take_all(s, body, bodies, error);
  if (result == MOTE_OK) {
    *out = s;
  } else {
    mote_elastic_implicit_destroy(s);
  }
  return result;
}

mote_result mote_elastic_implicit_create(const mote_elastic_implicit_def *def, mote_elastic *body,
                                         mote_elastic_implicit **out, mote_error *error) {
  if (body == NULL || out == NULL) return mote_fail_key(error, body == NULL ? "body" : "out", "is null");
  MOTE_TRY(mote_elastic_implicit_create_group(def, &body, 1, out, error));
  (*out)->checked = body;
  return MOTE_OK;
}

// The six vectors whose length depends on the external unknowns, and their width in units of one row.
static void vectors(mote_elastic_implicit *s, double **array[6], size_t width[6]) {
  double **all[6] = {&s->begin, &s->goal, &s->x, &s->residual, &s->change, &s->work};
  for (int k = 0; k < 6; ++k) array[k] = all[k], width[k] = k == 5 ? 12 : 3;
}

void mote_elastic_implicit_destroy(mote_elastic_implicit *solver) {
  if (solver == NULL) return;
  mote_env env = solver->env;
  double **array[6];
  size_t width[6];
  vectors(solver, array, width);
  for (int k = 0; k < 6; ++k) mote_free(&env, *array[k], solver->row_capacity[k], width[k] * sizeof(double));
  for (size_t k = 0; solver->made != NULL && k < 3 * solver->group.bodies; ++k) {
    mote_elastic_factor_end(&solver->made[k]);
  }
  mote_arena_destroy(&solver->memory);
  mote_free(&env, solver, 1, sizeof *solver);
}

mote_result mote_elastic_system_rows(mote_elastic_implicit *s, mote_error *error) {
  MOTE_ASSERT(s->group.bodies > 0);
  double **array[6];
  size_t width[6];
  vectors(s, array, width);
  s->rows = s->group.count + (s->external != NULL ? s->external->unknowns(s->external->user) : 0);
  for (int k = 0; k < 6; ++k) {
    MOTE_TRY(mote_reserve(&s->env, array[k], &s->row_capacity[k], s->rows, width[k] * sizeof(double), error));
  }
  return MOTE_OK;
}

// Of the two complete factors the one for this step length, else the one not used last.
mote_elastic_factor *mote_elastic_system_factor(const mote_elastic_implicit *s, size_t k, int wide) {
  MOTE_ASSERT(k < s->group.bodies);
  MOTE_ASSERT(wide == 1 || wide == s->group.body[k]->dimensions);
  mote_elastic_factor *of = &s->made[3 * k], *last = s->factor[k];
  if (wide == 1) return of;
  if (last == of + 1 || last == of + 2) {
    if (mote_elastic_factor_is(last, s->step)) return last;
    return last == of + 1 ? of + 2 : of + 1;
  }
  return of + 1;
}
