// Probes: see probe.h. The level is where the fluid's share sum_j V_j W_j of the space outside obstacles
// is one half: for a packing whose top row lies half a spacing below the surface this is the surface
// (docs/theory/collisions.md, Probes).
#include "things/probe.h"

#include <math.h>

#include "approx/kernel.h"
#include "base/memory.h"
#include "search/domain.h"
#include "things/tuning.inc"

#define POINTS_MAX 100000
#define CELLS_ACROSS_SUPPORT 8  // across the support, where obstacles are looked for

// --- Definitions ---

static bool all_finite(const double x[3]) {
  return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

mote_result mote_probe_check(const mote_probe_def *def, int dimensions, mote_error *error) {
  MOTE_ASSERT(dimensions == 2 || dimensions == 3);
  if (!all_finite(def->from)) return mote_fail_key(error, "from", "must be finite numbers");
  if (!(def->interval >= 0.0) || isinf(def->interval)) {
    return mote_fail_key(error, "interval", "must be 0 or a positive number of seconds");
  }
  if (def->kind != MOTE_PROBE_LINE && def->kind != MOTE_PROBE_LEVEL) return MOTE_OK;
  if (!all_finite(def->to)) return mote_fail_key(error, "to", "must be finite numbers");
  bool same = true;
  for (int a = 0; a < dimensions; ++a) same &= def->from[a] == def->to[a];
  if (same) return mote_fail_key(error, "to", "must not be where `from` is");
  if (def->kind == MOTE_PROBE_LINE && (def->count < 2 || def->count > POINTS_MAX)) {
    return mote_fail_key(error, "count", "must be from 2 to %d", POINTS_MAX);
  }
  return MOTE_OK;
}

size_t mote_probe_points(const mote_probe_def *def) {
  MOTE_ASSERT(def->kind != MOTE_PROBE_LINE || def->count > 0);
  return def->kind == MOTE_PROBE_LINE ? (size_t)def->count : 1;
}

// --- Sums ---

typedef struct probe_job {
  const mote_probe_source *source;
  mote_pair_kernel kernel;
  mote_env env;
  uint32_t *found;
  size_t capacity;
} probe_job;

// By id: an order that does not depend on that of rows.
static void sort_by_id(uint32_t *index, size_t count, const uint64_t *id) {
  for (size_t gap = count / 2; gap > 0; gap /= 2) {
    for (size_t i = gap; i < count; ++i) {
      uint32_t value = index[i];
      size_t k = i;
      for (; k >= gap && id[index[k - gap]] > id[value]; k -= gap) index[k] = index[k - gap];
      index[k] = value;
    }
  }
}

static double weight(const probe_job *job, const double x[3], const double *position, uint32_t j) {
  double r2 = mote_domain_distance2(job->source->domain, x, position + 3 * (size_t)j);
  return mote_pair_value(&job->kernel, sqrt(r2));
}

// The neighbours of x, by id.
static mote_result find_fluid(probe_job *job, const double x[3], size_t *count, mote_error *error) {
  const mote_grid *grid = job->source->grid;
  *count = mote_grid_query(grid, x, job->kernel.radius, job->found, job->capacity);
  if (*count > job->capacity) {
    MOTE_TRY(mote_reserve(&job->env, &job->found, &job->capacity, *count, sizeof *job->found, error));
    *count = mote_grid_query(grid, x, job->kernel.radius, job->found, job->capacity);
  }
  sort_by_id(job->found, *count, job->source->id);
  return MOTE_OK;
}

static double rest_volume(const mote_probe_source *s, uint32_t j) {
  return (double)s->mass[j] / (double)s->rest_density[j];
}

// Distance from x to the nearest obstacle, or a lower bound.
static double open_distance(const mote_probe_source *s, const double x[3]) {
  double least = HUGE_VAL;
  for (size_t k = 0; k < s->obstacles; ++k) {
    least = fmin(least, mote_obstacle_distance(&s->obstacle[k], 1.0, x, NULL));
  }
  return least;
}

// The part of the kernel at x outside obstacles, by sums over the cells of a packing in its support; cells at
// surfaces count in part.
static double open_share(const probe_job *job, const double x[3]) {
  double open = 0.0, all = 0.0, step = 2.0 * job->kernel.radius / CELLS_ACROSS_SUPPORT;
  if (open_distance(job->source, x) > job->kernel.radius) return 1.0;
  int layers = job->kernel.dimensions == 3 ? CELLS_ACROSS_SUPPORT : 1;
  for (int k = 0; k < CELLS_ACROSS_SUPPORT * CELLS_ACROSS_SUPPORT * layers; ++k) {
    double u[3] = {k % CELLS_ACROSS_SUPPORT, k / CELLS_ACROSS_SUPPORT % CELLS_ACROSS_SUPPORT,
                   k / CELLS_ACROSS_SUPPORT / CELLS_ACROSS_SUPPORT},
           y[3], r2 = 0.0;
    for (int a = 0; a < 3; ++a) {
      u[a] = a < job->kernel.dimensions ? (u[a] + 0.5 - 0.5 * CELLS_ACROSS_SUPPORT) * step : 0.0;
      y[a] = x[a] + u[a];
      r2 += u[a] * u[a];
    }
    double w = mote_pair_value(&job->kernel, sqrt(r2));
    if (w == 0.0) continue;
    double part = 0.5 + open_distance(job->source, y) / step;
    all += w;
    open += w * (part < 0.0 ? 0.0 : part > 1.0 ? 1.0 : part);
  }
  return open / all;
}

// The fluid's share of the space around x outside obstacles.
static mote_result share_at(probe_job *job, const double x[3], double *share, mote_error *error) {
  const mote_probe_source *s = job->source;
  double fluid = 0.0;
  size_t count;
  MOTE_TRY(find_fluid(job, x, &count, error));
  for (size_t k = 0; k < count; ++k) {
    fluid += rest_volume(s, job->found[k]) * weight(job, x, s->position, job->found[k]);
  }
  double open = fluid > 0.0 ? open_share(job, x) : 1.0;
  *share = open > SHARE_LEAST ? fluid / open : 0.0;
  return MOTE_OK;
}

// --- Readings ---

static mote_result read_point(probe_job *job, mote_reading *out, mote_error *error) {
  const mote_probe_source *s = job->source;
  double sum[7] = {0};  // of weights; velocity, pressure, density, temperature
  size_t count;
  MOTE_TRY(find_fluid(job, out->position, &count, error));
  for (size_t k = 0; k < count; ++k) {
    uint32_t j = job->found[k];
    double w = rest_volume(s, j) * weight(job, out->position, s->position, j);
    sum[0] += w;
    for (int a = 0; a < 3; ++a) sum[1 + a] += w * (double)s->velocity[3 * (size_t)j + a];
    sum[4] += w * (double)s->pressure[j];
    sum[5] += w * (double)s->density[j];
    if (s->temperature != NULL) sum[6] += w * (double)s->temperature[j];
  }
  if (sum[0] < SHARE_LEAST) return MOTE_OK;
  for (int a = 0; a < 3; ++a) out->velocity[a] = sum[1 + a] / sum[0];
  out->pressure = sum[4] / sum[0];
  out->density = sum[5] / sum[0];
  out->temperature = sum[6] / sum[0];
  return MOTE_OK;
}

static void point_between(const mote_probe_def *def, int dimensions, double s, double x[3]) {
  for (int a = 0; a < 3; ++a) {
    x[a] = a < dimensions ? def->from[a] + s * (def->to[a] - def->from[a]) : 0.0;
  }
}

static mote_result immersed_at(probe_job *job, const mote_probe_def *def, double s, bool *immersed,
                               mote_error *error) {
  double x[3], share;
  point_between(def, job->kernel.dimensions, s, x);
  MOTE_TRY(share_at(job, x, &share, error));
  *immersed = share >= SHARE_LEVEL;
  return MOTE_OK;
}

// The highest immersed fraction of the line: a scan from above, then bisection; 0 if all is dry.
static mote_result find_level(probe_job *job, const mote_probe_def *def, double length, double *level,
                              mote_error *error) {
  double steps = ceil(length / (LEVEL_SCAN * job->source->spacing));
  bool immersed = false;
  double k = steps;
  for (; k >= 0.0; k -= 1.0) {
    MOTE_TRY(immersed_at(job, def, k / steps, &immersed, error));
    if (immersed) break;
  }
  *level = immersed ? k / steps : 0.0;
  if (!immersed || k == steps) return MOTE_OK;
  double dry = (k + 1.0) / steps;
  while ((dry - *level) * length > LEVEL_EXACT * job->source->spacing) {
    double middle = 0.5 * (dry + *level);
    MOTE_TRY(immersed_at(job, def, middle, &immersed, error));
    *(immersed ? level : &dry) = middle;
  }
  return MOTE_OK;
}

static mote_result read_level(probe_job *job, const mote_probe_def *def, mote_reading *out,
                              mote_error *error) {
  double length2 = 0.0, s;
  for (int a = 0; a < job->kernel.dimensions; ++a) {
    length2 += (def->to[a] - def->from[a]) * (def->to[a] - def->from[a]);
  }
  MOTE_TRY(find_level(job, def, sqrt(length2), &s, error));
  *out = (mote_reading){.level = s * sqrt(length2)};
  point_between(def, job->kernel.dimensions, s, out->position);
  return read_point(job, out, error);
}

static mote_result read_all(probe_job *job, const mote_probe_def *def, mote_reading *out, mote_error *error) {
  if (def->kind == MOTE_PROBE_LEVEL) return read_level(job, def, out, error);
  size_t count = mote_probe_points(def);
  for (size_t k = 0; k < count; ++k) {
    double s = def->kind == MOTE_PROBE_POINT ? 0.0 : (double)k / (double)(count - 1);
    out[k] = (mote_reading){0};
    point_between(def, job->kernel.dimensions, s, out[k].position);
    MOTE_TRY(read_point(job, &out[k], error));
  }
  return MOTE_OK;
}

mote_result mote_probe_read(const mote_probe_def *def, const mote_probe_source *source, const mote_env *env,
                            mote_reading *out, mote_error *error) {
  MOTE_ASSERT(source->grid != NULL && source->domain != NULL);
  MOTE_ASSERT(source->spacing > 0.0);
  MOTE_ASSERT(out != NULL);
  probe_job job = {
      .source = source, .kernel = mote_kernel_ready(&source->kernel), .env = mote_env_resolve(env)};
  mote_result result = read_all(&job, def, out, error);
  if (job.found != NULL) mote_free(&job.env, job.found, job.capacity, sizeof *job.found);
  return result;
}
