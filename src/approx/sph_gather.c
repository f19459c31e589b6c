// The gather loop of smoothed particle hydrodynamics: see sph_gather.h. Each sum runs over the target itself,
// then its neighbours in the order of the search, so results do not depend on threads.
#include "approx/sph_gather.h"

#include <string.h>

#include "base/parallel.h"

#define TARGETS_PER_TASK 256  // targets of one task
#define PAIRS_PER_BLOCK 32    // pairs at a time
#define FIRST_CAPACITY 512    // answers to a query

// Memory of the result of one query; `longest` is afterwards the required capacity.
typedef struct query_answer {
  uint32_t *index;
  size_t longest;
} query_answer;

typedef struct gather_job {
  const mote_sph *sph;
  const mote_sph_operation *operations;
  int number;
  const double *position;  // null: the samples
  bool boundary;           // walls add to a density
  query_answer *answer;    // one per worker
  size_t capacity;
} gather_job;

typedef struct target {
  size_t i;
  bool sample;  // one of the samples; else a point, which has no field and density of its own
  const double *x;
  double correction[3][3];  // of CORRECTED: the inverse moments
} target;

typedef struct pair {
  size_t j;
  double x[3];  // x_ij
  double r;
} pair;

// Pairs of one target, some at a time: the square roots of one overlap those of the next.
typedef struct pairs {
  size_t count;
  pair at[PAIRS_PER_BLOCK];
} pairs;

static pair make_pair(const mote_sph *sph, const double x[3], size_t j) {
  pair p = {.j = j};
  mote_domain_difference(&sph->domain, x, sph->position + 3 * j, p.x);
  p.r = sqrt(p.x[0] * p.x[0] + p.x[1] * p.x[1] + p.x[2] * p.x[2]);
  return p;
}

// The inverse of sum V_j grad W_ij (x_j - x_i)^T, which CORRECTED multiplies its kernel gradients by; a
// pseudo-inverse, so that on a plane or line of samples the gradient is right within it.
static void find_correction(const mote_sph *sph, target *t, const uint32_t *index, size_t number) {
  int d = sph->domain.dimensions;
  double moment[9] = {0.0}, inverse[9];
  for (size_t n = 0; n < number; ++n) {
    pair p = make_pair(sph, t->x, index[n]);
    double weight = -sph->volume[p.j] * mote_pair_gradient_factor(&sph->kernel, p.r);
    for (int a = 0; a < d; ++a) {
      for (int b = 0; b < d; ++b) moment[d * a + b] += weight * (p.x[a] * p.x[b]);
    }
  }
  memset(t->correction, 0, sizeof t->correction);
  if (mote_dense_pseudo_inverse(d, moment, 1e-10, inverse, NULL) < 0) return;
  for (int a = 0; a < d; ++a) {
    for (int b = 0; b < d; ++b) t->correction[a][b] = inverse[d * a + b];
  }
}

static void correct(const target *t, double g[3]) {
  double plain[3] = {g[0], g[1], g[2]};
  for (int a = 0; a < 3; ++a) {
    const double *row = t->correction[a];
    g[a] = row[0] * plain[0] + row[1] * plain[1] + row[2] * plain[2];
  }
}

// The field's part of a pair: component k.
static double mix(const mote_sph_operation *op, const target *t, size_t j, mote_pair_weight weight, int k) {
  size_t c = (size_t)op->components;
  double fi = t->sample ? op->field[c * t->i + k] : 0.0;
  return weight.difference * (op->field[c * j + k] - fi) + weight.target * fi;
}

static void add_values(const mote_sph *sph, const mote_sph_operation *op, const target *t, const pairs *p,
                       double *out) {
  for (size_t n = 0; n < p->count; ++n) {
    double W = mote_pair_value(&sph->kernel, p->at[n].r);
    size_t j = p->at[n].j;
    if (op->what == MOTE_SPH_DENSITY) {
      out[0] += sph->mass[j] * W;
    } else if (op->what == MOTE_SPH_UNITY) {
      out[0] += sph->volume[j] * W;
    } else {
      double a = sph->volume[j] * W;
      for (int k = 0; k < op->components; ++k) out[k] += mix(op, t, j, (mote_pair_weight){a, a}, k);
    }
  }
}

// Gradient and divergence: the same pairs, all products of field and kernel gradient or their trace.
static void add_gradients(const mote_sph *sph, const mote_sph_operation *op, const target *t, const pairs *p,
                          double *out) {
  double rho_i = t->sample ? sph->density[t->i] : 1.0;
  for (size_t n = 0; n < p->count; ++n) {
    size_t j = p->at[n].j;
    const double *x = p->at[n].x;
    mote_pair_weight weight = mote_gradient_weight(op->gradient, sph->volume[j], rho_i, sph->density[j]);
    double gradient_factor = mote_pair_gradient_factor(&sph->kernel, p->at[n].r),
           g[3] = {gradient_factor * x[0], gradient_factor * x[1], gradient_factor * x[2]};
    if (op->gradient == MOTE_GRADIENT_CORRECTED) correct(t, g);
    for (int k = 0; k < op->components; ++k) {
      double f = mix(op, t, j, weight, k);
      if (op->what == MOTE_SPH_DIVERGENCE) {
        out[0] += f * g[k];
      } else {
        for (int a = 0; a < 3; ++a) out[3 * k + a] += f * g[a];
      }
    }
  }
}

static void add_laplacians(const mote_sph *sph, const mote_sph_operation *op, const target *t, const pairs *p,
                           double *out) {
  for (size_t n = 0; n < p->count; ++n) {
    size_t j = p->at[n].j;
    const double *x = p->at[n].x;
    mote_pair_weight weight = mote_laplacian_weight(op->laplacian, &sph->kernel, sph->volume[j], p->at[n].r);
    if (op->laplacian == MOTE_LAPLACIAN_CENTRAL) {
      double along = 0.0;
      for (int k = 0; k < op->components; ++k) along += mix(op, t, j, weight, k) * x[k];
      for (int k = 0; k < op->components; ++k) out[k] += along * x[k];
    } else {
      for (int k = 0; k < op->components; ++k) out[k] += mix(op, t, j, weight, k);
    }
  }
}

// Numbers per target that the operation writes.
static size_t row_size(const mote_sph_operation *operation) {
  switch (operation->what) {
    case MOTE_SPH_GRADIENT: return 3 * (size_t)operation->components;
    case MOTE_SPH_VALUE:
    case MOTE_SPH_LAPLACIAN: return (size_t)operation->components;
    case MOTE_SPH_DENSITY:
    case MOTE_SPH_UNITY:
    case MOTE_SPH_DIVERGENCE: break;
  }
  return 1;
}

static void add_pairs(const gather_job *job, const target *t, pairs *p) {
  for (int o = 0; o < job->number; ++o) {
    const mote_sph_operation *op = &job->operations[o];
    double *out = op->out + row_size(op) * t->i;
    switch (op->what) {
      case MOTE_SPH_GRADIENT:
      case MOTE_SPH_DIVERGENCE: add_gradients(job->sph, op, t, p, out); break;
      case MOTE_SPH_LAPLACIAN: add_laplacians(job->sph, op, t, p, out); break;
      case MOTE_SPH_VALUE:
      case MOTE_SPH_DENSITY:
      case MOTE_SPH_UNITY: add_values(job->sph, op, t, p, out); break;
    }
  }
  p->count = 0;
}

static void add_row(const gather_job *job, target *t, const uint32_t *index, size_t number) {
  for (int o = 0; o < job->number; ++o) {
    const mote_sph_operation *op = &job->operations[o];
    size_t row = row_size(op);
    memset(op->out + row * t->i, 0, row * sizeof *op->out);
    if (op->gradient == MOTE_GRADIENT_CORRECTED) find_correction(job->sph, t, index, number);
  }
  pairs p;
  p.count = 0;
  if (t->sample) p.at[p.count++] = make_pair(job->sph, t->x, t->i);
  for (size_t n = 0; n < number; ++n) {
    if (p.count == PAIRS_PER_BLOCK) add_pairs(job, t, &p);
    p.at[p.count++] = make_pair(job->sph, t->x, index[n]);
  }
  add_pairs(job, t, &p);
}

// The indices near x, up to the capacity; longer results are queried again with more.
static size_t query(const gather_job *job, const mote_grid *grid, const double x[3], query_answer *answer) {
  size_t number = mote_grid_query(grid, x, job->sph->kernel.radius, answer->index, job->capacity);
  if (number > answer->longest) answer->longest = number;
  return number < job->capacity ? number : job->capacity;
}

static void add_boundary(const gather_job *job, const target *t, query_answer *answer) {
  const mote_sph *sph = job->sph;
  size_t number = query(job, sph->boundary_grid, t->x, answer);
  double sum = 0.0;
  for (size_t n = 0; n < number; ++n) {
    size_t b = answer->index[n];
    double x[3];
    mote_domain_difference(&sph->domain, t->x, sph->boundary + 3 * b, x);
    double r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    sum += sph->boundary_mass[b] * mote_pair_value(&sph->kernel, r);
  }
  for (int o = 0; o < job->number; ++o) {
    if (job->operations[o].what == MOTE_SPH_DENSITY) job->operations[o].out[t->i] += sum;
  }
}

static void gather_chunk(void *data, size_t begin, size_t end, int worker) {
  const gather_job *job = data;
  const mote_sph *sph = job->sph;
  query_answer *answer = job->answer == NULL ? NULL : &job->answer[worker];
  for (size_t i = begin; i < end; ++i) {
    target t = {.i = i, .sample = job->position == NULL};
    t.x = (t.sample ? sph->position : job->position) + 3 * i;
    if (t.sample) {
      add_row(job, &t, sph->lists.index + sph->lists.first[i], sph->lists.number[i]);
    } else {
      size_t number = query(job, sph->grid, t.x, answer);
      add_row(job, &t, answer->index, number);
    }
    if (job->boundary) add_boundary(job, &t, answer);
  }
}

// Runs the loop with capacity for `capacity` results of a query; *longest receives the largest number.
static mote_result gather_with_capacity(gather_job *job, size_t count, size_t *longest, mote_error *error) {
  const mote_env *env = &job->sph->env;
  size_t threads = (size_t)env->threads, entries = threads * job->capacity;
  query_answer *answer = mote_alloc(env, threads, sizeof *answer);
  uint32_t *index = mote_alloc(env, entries, sizeof *index);
  mote_result result =
      answer != NULL && index != NULL ? MOTE_OK : mote_fail_memory(error, entries * sizeof *index);
  if (result == MOTE_OK) {
    for (size_t k = 0; k < threads; ++k) answer[k] = (query_answer){.index = index + k * job->capacity};
    job->answer = answer;
    mote_parallel_for(env->threads, count, TARGETS_PER_TASK, gather_chunk, job);
    for (size_t k = 0; k < threads; ++k)
      *longest = answer[k].longest > *longest ? answer[k].longest : *longest;
  }
  mote_free(env, index, entries, sizeof *index);
  mote_free(env, answer, threads, sizeof *answer);
  return result;
}

mote_result mote_sph_gather(const mote_sph *sph, const mote_sph_operation *operations, int number,
                            const double *position, size_t count, mote_error *error) {
  gather_job job = {.sph = sph, .operations = operations, .number = number, .position = position};
  for (int o = 0; o < number; ++o) {
    job.boundary = job.boundary || (operations[o].what == MOTE_SPH_DENSITY && sph->boundary_count > 0);
  }
  if (position == NULL && !job.boundary) {
    mote_parallel_for(sph->env.threads, count, TARGETS_PER_TASK, gather_chunk, &job);
    return MOTE_OK;
  }
  size_t longest = FIRST_CAPACITY;
  do {
    job.capacity = longest;
    MOTE_TRY(gather_with_capacity(&job, count, &longest, error));
  } while (longest > job.capacity);
  return MOTE_OK;
}
