// Lattice bodies without a world: see mote/lattice.h.
#include <math.h>
#include <mote/lattice.h>
#include <string.h>

#include "geom/triple.h"
#include "lattice/lattice_data.h"

enum { SITES = MOTE_LATTICE_SITES };

struct mote_lattice_solver {
  mote_env env;
  mote_arena memory, scratch;
  mote_lattice_buffers buffers;
  mote_lattice_part part;
  uint8_t *held;
  mote_lattice lattice;
};

mote_lattice_solver_def mote_lattice_solver_def_default(void) {
  return (mote_lattice_solver_def){.dimensions = 3,
                                   .spacing = (double)NAN,
                                   .density = (double)NAN,
                                   .young = (double)NAN,
                                   .poisson = 0.3,
                                   .damping = (double)NAN,
                                   .docking_rate = HUGE_VAL,
                                   .strength = HUGE_VAL,
                                   .seed = 1};
}

static mote_result check(const mote_lattice_solver_def *def, mote_error *error) {
  if (def->dimensions != 2 && def->dimensions != 3)
    return mote_fail_key(error, "dimensions", "is %d", def->dimensions);
  if (!(def->spacing > 0.0)) return mote_fail_key(error, "spacing", "is %g", def->spacing);
  if (!(def->density > 0.0)) return mote_fail_key(error, "density", "is %g", def->density);
  if (!(def->young > 0.0)) return mote_fail_key(error, "young", "is %g", def->young);
  if (!(def->poisson > -1.0 && def->poisson < 0.5))
    return mote_fail_key(error, "poisson", "is %g", def->poisson);
  if (def->damping < 0.0) return mote_fail_key(error, "damping", "is %g", def->damping);
  if (!(def->docking_rate >= 0.0)) return mote_fail_key(error, "docking_rate", "is %g", def->docking_rate);
  if (!(def->docking_gain >= 0.0)) return mote_fail_key(error, "docking_gain", "is %g", def->docking_gain);
  if (!(def->strength > 0.0)) return mote_fail_key(error, "strength", "is %g", def->strength);
  if (def->count == 0 || def->count >= UINT32_MAX / 2)
    return mote_fail_key(error, "count", "is %zu", def->count);
  if (def->position == NULL) return mote_fail_key(error, "position", "is missing");
  for (size_t k = 0; k < 3 * def->count; ++k) {
    if (!isfinite(def->position[k]))
      return mote_fail_key(error, "position", "of particle %zu is not finite", k / 3);
  }
  return MOTE_OK;
}

static void *take(mote_lattice_solver *s, size_t count, size_t size, bool *all) {
  void *block = mote_arena_take(&s->memory, count, size);
  *all = *all && block != NULL;
  if (block != NULL) memset(block, 0, count * size);
  return block;
}

static void fill(mote_lattice_solver *s, const mote_lattice_solver_def *def, uint64_t *id, double *mass,
                 uint32_t *object) {
  mote_lattice_rows *rows = &s->lattice.rows;
  for (size_t i = 0; i < def->count; ++i) {
    id[i] = i, mass[i] = def->density * s->part.law.volume;
    object[i] = def->object != NULL ? def->object[i] : 1;
    copy3(def->position + 3 * i, rows->position + 3 * i);
    if (def->dimensions == 2) rows->position[3 * i + 2] = 0.0;
    for (int e = 0; e < 9; ++e)
      rows->basis[9 * i + (size_t)e] = def->rotation != NULL ? def->rotation[9 * i + (size_t)e] : e % 4 == 0;
    for (size_t k = 0; k < SITES && s->part.docking != NULL; ++k)
      s->part.docking[SITES * i + k] = (float)def->docking_rate;
  }
}

static mote_result build(mote_lattice_solver *s, const mote_lattice_solver_def *def, mote_error *error) {
  size_t n = def->count;
  bool all = true, breaks = isfinite(def->docking_rate) || isfinite(def->strength);
  mote_lattice_spec spec = {.dimensions = def->dimensions,
                            .spacing = def->spacing,
                            .density = def->density,
                            .solid_density = def->density,
                            .young = def->young,
                            .poisson = def->poisson,
                            .restoring = def->restoring};
  s->part = (mote_lattice_part){.count = n,
                                .law = mote_lattice_law_make(&spec),
                                .docking_rate = def->docking_rate,
                                .docking_gain = def->docking_gain,
                                .strength = def->strength};
  s->part.damping = isnan(def->damping) ? AUTO_DAMPING * s->part.law.speed / s->part.law.edge : def->damping;
  uint64_t *id = take(s, n, sizeof *id, &all);
  double *mass = take(s, n, sizeof *mass, &all);
  uint32_t *object = take(s, n, sizeof *object, &all);
  s->held = take(s, n, 1, &all);
  if (breaks) s->part.docking = take(s, SITES * n, sizeof(float), &all);
  s->lattice = (mote_lattice){.threads = s->env.threads,
                              .seed = def->seed,
                              .scratch = &s->scratch,
                              .buffers = &s->buffers,
                              .rows = {.count = n,
                                       .part = &s->part,
                                       .parts = 1,
                                       .id = id,
                                       .position = take(s, 3 * n, sizeof(double), &all),
                                       .velocity = take(s, 3 * n, sizeof(double), &all),
                                       .mass = mass,
                                       .object = object,
                                       .held = s->held,
                                       .basis = take(s, 9 * n, sizeof(double), &all),
                                       .neighbour = take(s, SITES * n, sizeof(uint32_t), &all)}};
  if (!all) return mote_fail_memory(error, n * (SITES + 20) * sizeof(double));
  fill(s, def, id, mass, object);
  MOTE_TRY(mote_lattice_begin(&s->lattice, error));
  mote_lattice_assign(&s->lattice, def->apart ? 0.0 : HUGE_VAL);
  mote_lattice_near(&s->lattice);
  s->lattice.changes = 0;
  mote_lattice_fit(&s->lattice);
  return MOTE_OK;
}

mote_result mote_lattice_solver_create(const mote_lattice_solver_def *def, const mote_env *env,
                                       mote_lattice_solver **out, mote_error *error) {
  if (def == NULL || out == NULL)
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "def and out must not be NULL");
  MOTE_TRY(check(def, error));
  mote_env use = mote_env_resolve(env);
  MOTE_ALLOC_NEW(mote_lattice_solver, s, &use, 1, error);
  *s = (mote_lattice_solver){.env = use, .memory = mote_arena_make(&use), .scratch = mote_arena_make(&use)};
  mote_result result = build(s, def, error);
  if (result == MOTE_OK) {
    *out = s;
  } else {
    mote_lattice_solver_destroy(s);
  }
  return result;
}

void mote_lattice_solver_destroy(mote_lattice_solver *solver) {
  if (solver == NULL) return;
  mote_env env = solver->env;
  mote_lattice_buffers_free(&solver->buffers, &env);
  mote_arena_destroy(&solver->scratch);
  mote_arena_destroy(&solver->memory);
  mote_free(&env, solver, 1, sizeof *solver);
}

double mote_lattice_solver_sound(const mote_lattice_solver *solver) {
  return solver->part.law.speed;
}

double mote_lattice_solver_limit(const mote_lattice_solver *solver) {
  return mote_lattice_step_limit(&solver->part.law, 1.0);
}

double *mote_lattice_solver_position(mote_lattice_solver *solver) {
  return solver->lattice.rows.position;
}

double *mote_lattice_solver_velocity(mote_lattice_solver *solver) {
  return solver->lattice.rows.velocity;
}

uint8_t *mote_lattice_solver_held(mote_lattice_solver *solver) {
  return solver->held;
}

const double *mote_lattice_solver_mass(const mote_lattice_solver *solver) {
  return solver->lattice.rows.mass;
}

mote_result mote_lattice_solver_assign(mote_lattice_solver *solver, double elapsed, size_t *changes,
                                       mote_error *error) {
  if (solver == NULL || !(elapsed >= 0.0) || !isfinite(elapsed))
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "assigning needs a solver and a time");
  size_t before = solver->lattice.changes;
  MOTE_TRY(mote_lattice_find(&solver->lattice, error));
  mote_lattice_assign(&solver->lattice, elapsed);
  mote_lattice_near(&solver->lattice);
  mote_lattice_fit(&solver->lattice);
  if (changes != NULL) *changes = solver->lattice.changes - before;
  return MOTE_OK;
}

void mote_lattice_solver_forces(mote_lattice_solver *solver, double *force) {
  mote_lattice_fit(&solver->lattice);
  mote_lattice_forces(&solver->lattice, force);
}

void mote_lattice_solver_damp(mote_lattice_solver *solver, double dt) {
  mote_lattice_damp(&solver->lattice, dt);
}

mote_result mote_lattice_solver_advance(mote_lattice_solver *solver, const double acceleration[3], double dt,
                                        mote_error *error) {
  if (solver == NULL || !(dt > 0.0))
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "a step needs a solver and a time");
  mote_lattice *m = &solver->lattice;
  size_t n = m->rows.count;
  mote_arena_mark mark = mote_arena_here(&solver->scratch);
  MOTE_TAKE_NEW(double, all, &solver->scratch, 3 * n, error);
  for (size_t i = 0; i < n; ++i) copy3(acceleration, all + 3 * i);
  mote_result result = mote_lattice_find(m, error);
  if (result == MOTE_OK) mote_lattice_assign(m, dt);
  if (result == MOTE_OK) mote_lattice_near(m);
  mote_lattice_fit(m);
  if (result == MOTE_OK)
    result = mote_lattice_advance(m, NULL, all, dt, mote_lattice_steps(m, dt, 1.0), error);
  if (result == MOTE_OK) mote_lattice_near(m);
  mote_arena_release(&solver->scratch, mark);
  return result;
}

mote_lattice_state mote_lattice_solver_state(mote_lattice_solver *solver) {
  mote_lattice *m = &solver->lattice;
  mote_lattice_state state = {.changes = m->changes};
  mote_lattice_fit(m);
  mote_lattice_energies stored = mote_lattice_stored(m, NULL);
  state.elastic_energy = stored.strain + stored.restoring, state.contact_energy = stored.contact;
  state.strain = mote_lattice_strain(m, &state.poor);
  for (size_t i = 0; i < m->rows.count; ++i) state.pairs += m->cell[i].pairs;
  state.pairs /= 2;
  return state;
}
