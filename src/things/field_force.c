// Force fields: see field_force.h.
#include "things/field_force.h"

#include <math.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "things/quantity.h"

#define PARTICLES_PER_TASK 1024

struct mote_field_force {
  mote_env env;
  int dimensions;
  mote_quantity acceleration[3], damping, heating;
  mote_shape *shape;  // null: everywhere
  double low[3], high[3];
  double start, end;
};

// --- Making ---

static mote_result force_fill(mote_field_force *force, const mote_force_def *def, mote_error *error) {
  if (isnan(def->start)) return mote_fail_key(error, "start", "must be a number");
  if (!(def->end > def->start)) return mote_fail_key(error, "end", "must be later than start");
  MOTE_TRY(mote_quantity_make3(&def->acceleration, "x y z t", "acceleration", &force->env,
                               force->acceleration, error));
  MOTE_TRY(mote_quantity_make(&def->damping, "x y z t", "damping", &force->env, &force->damping, error));
  MOTE_TRY(mote_quantity_make(&def->heating, "x y z t", "heating", &force->env, &force->heating, error));
  if (def->shape.kind == MOTE_SHAPE_NONE) return MOTE_OK;
  mote_result result = mote_shape_create(&def->shape, force->dimensions, &force->env, &force->shape, error);
  if (result) return mote_fail_within(error, result, "shape");
  mote_shape_bounds(force->shape, force->low, force->high);
  return MOTE_OK;
}

mote_result mote_field_force_create(const mote_force_def *def, int dimensions, const mote_env *env,
                                    mote_field_force **out, mote_error *error) {
  MOTE_ASSERT(dimensions == 2 || dimensions == 3);
  MOTE_ASSERT(def != NULL && out != NULL);
  mote_env own = mote_env_resolve(env);
  MOTE_ALLOC_NEW(mote_field_force, force, &own, 1, error);
  *force = (mote_field_force){.env = own, .dimensions = dimensions, .start = def->start, .end = def->end};
  mote_result result = force_fill(force, def, error);
  if (result) {
    mote_field_force_destroy(force);
    return result;
  }
  *out = force;
  return MOTE_OK;
}

void mote_field_force_destroy(mote_field_force *force) {
  if (force == NULL) return;
  mote_env env = force->env;
  for (int a = 0; a < 3; ++a) mote_quantity_free(&force->acceleration[a]);
  mote_quantity_free(&force->damping);
  mote_quantity_free(&force->heating);
  mote_shape_destroy(force->shape);
  mote_free(&env, force, 1, sizeof *force);
}

// --- Acting ---

bool mote_field_force_acts(const mote_field_force *force, double t) {
  MOTE_ASSERT(force->start <= force->end);
  return t >= force->start && t < force->end;
}

typedef struct force_job {
  const mote_field_force *force;
  double t, most;
  const double *position, *volume;
  const float *velocity;
  float *acceleration;
  double *heat;
  size_t wrong[MOTE_THREADS_MAX];  // by worker: the lowest row where a formula failed
} force_job;

static bool reaches(const mote_field_force *force, const double x[3]) {
  if (force->shape == NULL) return true;
  for (int a = 0; a < force->dimensions; ++a) {
    if (!(x[a] >= force->low[a] && x[a] <= force->high[a])) return false;
  }
  return mote_shape_distance(force->shape, x) < 0.0;
}

static void force_task(void *data, size_t begin, size_t end, int worker) {
  force_job *job = data;
  const mote_field_force *force = job->force;
  for (size_t i = begin; i < end; ++i) {
    const double *x = job->position + 3 * i;
    if (!reaches(force, x)) continue;
    double variable[4] = {x[0], x[1], x[2], job->t};
    float a[3] = {0.0f, 0.0f, 0.0f};
    for (int k = 0; k < force->dimensions; ++k) {
      a[k] = (float)mote_quantity_at(&force->acceleration[k], variable);
    }
    if (!(isfinite(a[0]) && isfinite(a[1]) && isfinite(a[2]))) {
      if (i < job->wrong[worker]) job->wrong[worker] = i;
      continue;
    }
    for (int k = 0; k < 3; ++k) job->acceleration[3 * i + k] += a[k];
  }
}

static void damp_task(void *data, size_t begin, size_t end, int worker) {
  force_job *job = data;
  for (size_t i = begin; i < end; ++i) {
    const double *x = job->position + 3 * i;
    if (!reaches(job->force, x)) continue;
    double variable[4] = {x[0], x[1], x[2], job->t};
    float damping = (float)mote_quantity_at(&job->force->damping, variable);
    if (!(isfinite(damping) && damping >= 0.0f)) {
      if (i < job->wrong[worker]) job->wrong[worker] = i;
      continue;
    }
    float rate = damping < (float)job->most ? damping : (float)job->most;
    for (size_t k = 3 * i; k < 3 * i + 3; ++k) job->acceleration[k] -= rate * job->velocity[k];
  }
}

static void heat_task(void *data, size_t begin, size_t end, int worker) {
  force_job *job = data;
  for (size_t i = begin; i < end; ++i) {
    const double *x = job->position + 3 * i;
    if (!reaches(job->force, x)) continue;
    double variable[4] = {x[0], x[1], x[2], job->t};
    double heating = mote_quantity_at(&job->force->heating, variable);
    if (isfinite(heating)) {
      job->heat[i] += heating * job->volume[i];
    } else if (i < job->wrong[worker]) {
      job->wrong[worker] = i;
    }
  }
}

// The lowest row at which a formula failed.
static size_t run(force_job *job, size_t count, int threads, mote_task *task) {
  int workers = threads < 1 ? 1 : threads > MOTE_THREADS_MAX ? MOTE_THREADS_MAX : threads;
  size_t wrong = SIZE_MAX;
  for (int w = 0; w < workers; ++w) job->wrong[w] = SIZE_MAX;
  mote_parallel_for(workers, count, PARTICLES_PER_TASK, task, job);
  for (int w = 0; w < workers; ++w) {
    if (job->wrong[w] < wrong) wrong = job->wrong[w];
  }
  return wrong;
}

size_t mote_field_force_add(const mote_field_force *force, double t, size_t count, const double *position,
                            float *acceleration, int threads) {
  MOTE_ASSERT((position != NULL && acceleration != NULL) || count == 0);
  if (!mote_field_force_acts(force, t)) return SIZE_MAX;
  force_job job;
  job.force = force, job.t = t, job.position = position, job.acceleration = acceleration;
  return run(&job, count, threads, force_task);
}

static bool is_none(const mote_quantity *quantity) {
  return quantity->formula == NULL && quantity->constant == 0.0;
}

size_t mote_field_force_damp(const mote_field_force *force, double t, double most, size_t count,
                             const double *position, const float *velocity, float *acceleration,
                             int threads) {
  MOTE_ASSERT((position != NULL && velocity != NULL && acceleration != NULL) || count == 0);
  if (is_none(&force->damping) || !mote_field_force_acts(force, t)) return SIZE_MAX;
  force_job job;
  job.force = force, job.t = t, job.most = most, job.position = position, job.velocity = velocity;
  job.acceleration = acceleration;
  return run(&job, count, threads, damp_task);
}

size_t mote_field_force_heat(const mote_field_force *force, double t, size_t count, const double *position,
                             const double *volume, double *heat, int threads) {
  MOTE_ASSERT((position != NULL && volume != NULL && heat != NULL) || count == 0);
  if (is_none(&force->heating) || !mote_field_force_acts(force, t)) return SIZE_MAX;
  force_job job;
  job.force = force, job.t = t, job.position = position, job.volume = volume, job.heat = heat;
  return run(&job, count, threads, heat_task);
}
