// Where foam is born, Ihmsen et al. 2012, and how much of it: docs/theory/foam.md, "Births".
//
// Over neighbours within h = 2 d with W = 1 - r/h, of a particle of the liquid:
//   trapped air   A = sum |v_ij| (1 - v_ij . x_ij / |v_ij| |x_ij|) W
//   wave crests   K = sum (1 - n_i . n_j) W over neighbours at the surface behind the particle, which moves
//   outward energy        v^2 / 2
// Each becomes a number from 0 to 1 between two limits; the product says which share of the births is its
// own.
#include <math.h>
#include <mote/numeric.h>

#include "base/parallel.h"
#include "base/pi.h"
#include "base/random.h"
#include "foam/foam_data.h"
#include "foam/tuning.inc"

// Speeds in sqrt(g H).
#define AIR_LOW 2.0       // cited: Ihmsen et al. 2012, 5 and
#define AIR_HIGH 8.0      // cited: 20 m/s (2012), for water of half a metre
#define CREST_LOW 2.0     // cited: Ihmsen et al. 2012
#define CREST_HIGH 8.0    // cited: Ihmsen et al. 2012
#define CREST_COSINE 0.6  // cited: Ihmsen et al. 2012, between the normal and the velocity of a crest
enum { GRAIN = 256 };

// Random numbers of a birth: which of them.
enum { WHEN, ANGLE, OFFSET, LIFE, STREAMS };

typedef struct birth_job {
  const mote_foam *foam;
  const mote_foam_flow *flow;
  const mote_lists *lists;
  double h;
  double *normal;   // three each: outward; zero length where it is not at the surface
  double *trapped;  // A
  double *closing;  // mean |v_ij|, m/s
  double *share;
} birth_job;

static double clamp01(double x) {
  return x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0;
}

static double between(double x, double low, double high) {
  return clamp01((x - low) / (high - low));
}

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// x_ij and its length; v_ij and its length.
typedef struct pair {
  double x[3], r, v[3], speed;
} pair;

static pair pair_of(const birth_job *job, size_t i, size_t j) {
  pair p;
  for (size_t a = 0; a < 3; ++a) {
    p.x[a] = job->flow->x0[3 * i + a] - job->flow->x0[3 * j + a];
    p.v[a] = job->flow->v0[3 * i + a] - job->flow->v0[3 * j + a];
  }
  p.r = sqrt(dot(p.x, p.x)), p.speed = sqrt(dot(p.v, p.v));
  return p;
}

static void trapped_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const birth_job *job = data;
  for (size_t i = begin; i < end; ++i) {
    double weight = 0.0, trapped = 0.0, closing = 0.0, n[3] = {0.0, 0.0, 0.0};
    const uint32_t *list = job->lists->index + job->lists->first[i];
    for (uint32_t k = 0; k < job->lists->number[i]; ++k) {
      pair p = pair_of(job, i, list[k]);
      if (p.r == 0.0) continue;
      double w = 1.0 - p.r / job->h;
      weight += w, closing += w * p.speed, trapped += w * (p.speed - dot(p.v, p.x) / p.r);
      for (int a = 0; a < 3; ++a) n[a] += w * p.x[a] / p.r;
    }
    double length = sqrt(dot(n, n));
    bool outside = length > SURFACE_LEAST * weight;
    for (size_t a = 0; a < 3; ++a) job->normal[3 * i + a] = outside ? n[a] / length : 0.0;
    job->trapped[i] = trapped, job->closing[i] = weight > 0.0 ? closing / weight : 0.0;
  }
}

static double crest_of(const birth_job *job, size_t i) {
  const double *n = job->normal + 3 * i, *v = job->flow->v0 + 3 * i;
  if (dot(n, n) == 0.0 || dot(n, v) < CREST_COSINE * sqrt(dot(v, v))) return 0.0;
  double sum = 0.0;
  const uint32_t *list = job->lists->index + job->lists->first[i];
  for (uint32_t k = 0; k < job->lists->number[i]; ++k) {
    pair p = pair_of(job, i, list[k]);
    const double *other = job->normal + 3 * (size_t)list[k];
    if (dot(other, other) > 0.0 && dot(p.x, n) > 0.0) sum += (1.0 - dot(n, other)) * (1.0 - p.r / job->h);
  }
  return sum;
}

static void share_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const birth_job *job = data;
  double unit = job->foam->speed;
  for (size_t i = begin; i < end; ++i) {
    const double *v = job->flow->v0 + 3 * i;
    double energy = between(0.5 * dot(v, v), ENERGY_LOW * unit * unit, ENERGY_HIGH * unit * unit);
    job->share[i] = 0.0;
    if (energy == 0.0) continue;
    job->share[i] = energy * (between(job->trapped[i], AIR_LOW * unit, AIR_HIGH * unit) +
                              between(crest_of(job, i), CREST_LOW, CREST_HIGH));
  }
}

static void share_terms(void *data, size_t begin, size_t end, double *term) {
  const birth_job *job = data;
  for (size_t i = begin; i < end; ++i) *term++ = job->share[i];
}

// --- Debts -------------------------------------------------------------------------------------------------

// What each particle of the flow owes; of one that is new a random part, so that as many are born early as
// late.
static mote_result find_debts(mote_foam *foam, const mote_foam_flow *flow, mote_error *error) {
  MOTE_TAKE_NEW(mote_foam_debt, next, &foam->scratch, flow->count, error);
  for (size_t i = 0, k = 0; i < flow->count; ++i) {
    while (k < foam->debts && foam->debt[k].id < flow->id[i]) ++k;
    bool known = k < foam->debts && foam->debt[k].id == flow->id[i];
    next[i] = (mote_foam_debt){
        flow->id[i], known ? foam->debt[k].part : mote_random_unit(foam->def.seed, flow->id[i], UINT64_MAX)};
  }
  MOTE_TRY(
      mote_reserve(&foam->env, &foam->debt, &foam->debts_capacity, flow->count, sizeof *foam->debt, error));
  for (size_t i = 0; i < flow->count; ++i) foam->debt[i] = next[i];
  foam->debts = flow->count;
  return MOTE_OK;
}

// --- Births ------------------------------------------------------------------------------------------------

// Two unit vectors across v; in 2D one, and zero.
static void across(const mote_foam *foam, const double v[3], double e[2][3]) {
  double speed = sqrt(dot(v, v)), u[3] = {1.0, 0.0, 0.0};
  for (int a = 0; a < 3 && speed > 0.0; ++a) u[a] = v[a] / speed;
  if (foam->def.dimensions == 2) {
    e[0][0] = -u[1], e[0][1] = u[0], e[0][2] = e[1][0] = e[1][1] = e[1][2] = 0.0;
    return;
  }
  int least = fabs(u[0]) < fabs(u[1]) ? 0 : 1;
  if (fabs(u[2]) < fabs(u[least])) least = 2;
  double axis[3] = {0.0, 0.0, 0.0}, length;
  axis[least] = 1.0;
  for (int a = 0; a < 3; ++a)
    e[0][a] = u[(a + 1) % 3] * axis[(a + 2) % 3] - u[(a + 2) % 3] * axis[(a + 1) % 3];
  length = sqrt(dot(e[0], e[0]));
  for (int a = 0; a < 3; ++a) e[0][a] /= length;
  for (int a = 0; a < 3; ++a)
    e[1][a] = u[(a + 1) % 3] * e[0][(a + 2) % 3] - u[(a + 2) % 3] * e[0][(a + 1) % 3];
}

// Within d/2 of the way of its parent, with its velocity and a part of that with which neighbours move past
// it.
static void bear_one(mote_foam *foam, const birth_job *job, size_t i, size_t m) {
  double u[STREAMS], x[3], v[3], e[2][3];
  for (uint64_t k = 0; k < STREAMS; ++k)
    u[k] = mote_random_unit(foam->def.seed, job->flow->id[i], (foam->advances << 24) + STREAMS * m + k);
  mote_foam_place(job->flow, i, u[WHEN], x, v);
  across(foam, v, e);
  bool flat = foam->def.dimensions == 2;
  double radius = flat ? 2.0 * u[OFFSET] - 1.0 : sqrt(u[OFFSET]), angle = 2.0 * MOTE_PI * u[ANGLE];
  double part[2] = {flat ? radius : radius * mote_cos(angle), flat ? 0.0 : radius * mote_sin(angle)};
  size_t n = foam->count++;
  for (size_t a = 0; a < 3; ++a) {
    double off = part[0] * e[0][a] + part[1] * e[1][a];
    foam->position[3 * n + a] = x[a] + 0.5 * foam->def.spacing * off;
    foam->velocity[3 * n + a] = (float)(v[a] + job->closing[i] * off);
  }
  foam->id[n] = foam->next_id++;
  foam->kind[n] = MOTE_FOAM_SPRAY;
  foam->life[n] = (float)(foam->def.life[0] + u[LIFE] * (foam->def.life[1] - foam->def.life[0]));
  foam->size[n] = (float)foam->def.size;
  foam->born[n] = u[WHEN];
}

static mote_result bear_all(mote_foam *foam, const birth_job *job, double number, mote_foam_report *report,
                            mote_error *error) {
  size_t n = job->flow->count, most = foam->def.particles_max;
  for (size_t i = 0; i < n; ++i) {
    double owed = foam->debt[i].part + number * job->share[i], whole = floor(owed);
    foam->debt[i].part = owed - whole;
    size_t wanted = whole < (double)most ? (size_t)whole : most, left = most - foam->count;
    size_t some = wanted < left ? wanted : left;
    report->refused += wanted - some, report->born += some;
    MOTE_TRY(mote_foam_reserve(foam, foam->count + some, error));
    for (size_t m = 0; m < some; ++m) bear_one(foam, job, i, m);
  }
  return MOTE_OK;
}

mote_result mote_foam_bear(mote_foam *foam, const mote_foam_flow *flow, double energy,
                           mote_foam_report *report, mote_error *error) {
  size_t n = flow->count;
  const mote_foam_def *def = &foam->def;
  mote_lists lists;
  MOTE_TRY(find_debts(foam, flow, error));
  MOTE_TRY(mote_grid_build(foam->grid, flow->x0, n, error));
  MOTE_TRY(mote_grid_neighbours(foam->grid, &lists, error));
  birth_job job = {.foam = foam, .flow = flow, .lists = &lists, .h = MOTE_FOAM_REACH * def->spacing};
  MOTE_TAKE(job.normal, &foam->scratch, 3 * n, error);
  MOTE_TAKE(job.trapped, &foam->scratch, n, error);
  MOTE_TAKE(job.closing, &foam->scratch, n, error);
  MOTE_TAKE(job.share, &foam->scratch, n, error);
  mote_parallel_for(foam->env.threads, n, GRAIN, trapped_chunk, &job);
  mote_parallel_for(foam->env.threads, n, GRAIN, share_chunk, &job);
  double sum = 0.0, unit = def->density * foam->speed * foam->speed * def->length * def->length;
  mote_parallel_sum(foam->env.threads, n, 1, share_terms, &job, &sum);
  if (def->dimensions == 3) unit *= def->length;  // rho g H^4; in 2D of a slab 1 m thick
  return sum > 0.0 ? bear_all(foam, &job, def->amount * energy / (unit * sum), report, error) : MOTE_OK;
}
