// Conduction of heat: see conduction.h. Cleary & Monaghan 1999, with the sums of a full packing.
#include "heat/conduction.h"

#include <math.h>

#include "base/parallel.h"
#include "heat/tuning.inc"

#define PARTICLES_PER_TASK 256

typedef struct conduction {
  const mote_heat_rows *rows;
  const mote_heat_kernel *kernel;
  const mote_domain *domain;
  mote_lists lists;
  float *conductance;  // W/K, of each pair
  double *temperature, *rate;
  double dt;
  bool periodic;
} conduction;

static inline double distance_of(const conduction *c, size_t i, size_t j) {
  const double *xi = c->rows->position + 3 * i, *xj = c->rows->position + 3 * j;
  double x[3] = {xi[0] - xj[0], xi[1] - xj[1], xi[2] - xj[2]};
  if (c->periodic) mote_domain_difference(c->domain, xi, xj, x);
  return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

static void pair_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const conduction *c = data;
  const mote_heat_rows *rows = c->rows;
  for (size_t i = begin; i < end; ++i) {
    const mote_heat_law *law = &rows->law[rows->kind[i]];
    double all = rows->conductance != NULL ? rows->conductance[i] : 0.0, k = 0.0;
    const mote_heat_law *last_law = NULL;  // k is the mean with it
    for (size_t n = c->lists.first[i], last = n + c->lists.number[i]; n < last; ++n) {
      size_t j = c->lists.index[n];
      const mote_heat_law *other = &rows->law[rows->kind[j]];
      if (other != last_law) k = mote_heat_mean_conductivity(law->conductivity, other->conductivity);
      last_law = other;
      c->conductance[n] = (float)(k * (rows->volume[i] * rows->volume[j]) *
                                  mote_heat_kernel_pair(c->kernel, distance_of(c, i, j)));
      all += (double)c->conductance[n];
    }
    c->rate[i] = all / (rows->mass[i] * law->capacity);
  }
}

static void temperature_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const conduction *c = data;
  const mote_heat_rows *rows = c->rows;
  for (size_t i = begin; i < end; ++i)
    c->temperature[i] = mote_heat_temperature(&rows->law[rows->kind[i]], rows->enthalpy[i]);
}

static void enthalpy_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const conduction *c = data;
  const mote_heat_rows *rows = c->rows;
  for (size_t i = begin; i < end; ++i) {
    double own = c->temperature[i], sum = 0.0;
    for (size_t n = c->lists.first[i], last = n + c->lists.number[i]; n < last; ++n)
      sum += (double)c->conductance[n] * (c->temperature[c->lists.index[n]] - own);
    if (rows->conductance != NULL) sum += rows->heat[i] - rows->conductance[i] * own;
    rows->enthalpy[i] += c->dt / rows->mass[i] * sum;
  }
}

static double most_diffusivity(const mote_heat_rows *rows) {
  double most = 0.0;
  for (size_t i = 0; i < rows->count; ++i) {
    const mote_heat_law *law = &rows->law[rows->kind[i]];
    most = fmax(most, law->conductivity * rows->volume[i] / (law->capacity * rows->mass[i]));
  }
  return most;
}

static int count_substeps(const conduction *c, double dt, mote_heat_report *report) {
  double d = c->kernel->spacing, by_space = most_diffusivity(c->rows) * dt / (MOST_DIFFUSED * d * d);
  report->largest = 0.0;
  for (size_t i = 0; i < c->rows->count; ++i) report->largest = fmax(report->largest, c->rate[i]);
  double needed = ceil(fmax(by_space, report->largest * dt / MOST_CHANGE));
  return needed > 1.0 ? (int)fmin(needed, 1e6) : 1;
}

static mote_result conduct(conduction *c, double dt, int threads, mote_arena *scratch,
                           mote_heat_report *report, mote_error *error) {
  size_t count = c->rows->count;
  size_t entries = (size_t)c->lists.first[count];
  MOTE_TAKE(c->conductance, scratch, entries, error);
  MOTE_TAKE(c->temperature, scratch, 2 * count, error);
  c->rate = c->temperature + count;
  mote_parallel_for(threads, count, PARTICLES_PER_TASK, pair_chunk, c);
  report->substeps = count_substeps(c, dt, report);
  c->dt = dt / report->substeps;
  for (int k = 0; k < report->substeps; ++k) {
    mote_parallel_for(threads, count, 16 * PARTICLES_PER_TASK, temperature_chunk, c);
    mote_parallel_for(threads, count, PARTICLES_PER_TASK, enthalpy_chunk, c);
  }
  return MOTE_OK;
}

mote_grid_def mote_heat_grid_def(const mote_domain *domain, const mote_heat_kernel *kernel) {
  mote_grid_def def = mote_grid_def_default(kernel->kernel.radius);
  def.domain = *domain;
  return def;
}

mote_result mote_heat_conduct(const mote_heat_rows *rows, const mote_heat_kernel *kernel,
                              const mote_domain *domain, const mote_lists *lists, double dt, int threads,
                              mote_arena *scratch, mote_heat_report *report, mote_error *error) {
  MOTE_ASSERT(dt >= 0.0 && report != NULL);
  MOTE_ASSERT(rows->conductance == NULL || rows->heat != NULL);
  MOTE_ASSERT(lists->count == rows->count);
  *report = (mote_heat_report){0};
  if (rows->count == 0 || dt == 0.0) return MOTE_OK;
  mote_arena_mark mark = mote_arena_here(scratch);
  conduction c = {.rows = rows,
                  .kernel = kernel,
                  .domain = domain,
                  .lists = *lists,
                  .periodic = domain->periodic[0] || domain->periodic[1] || domain->periodic[2]};
  mote_result result = conduct(&c, dt, threads, scratch, report, error);
  mote_arena_release(scratch, mark);
  return result;
}
