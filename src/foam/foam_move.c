// How foam moves and ends: docs/theory/foam.md, "Motion".
//
// What a particle is, the liquid around it says: of a full neighbourhood within h spray has less than
// SPRAY_MOST, bubbles have more than FOAM_MOST. The part of the neighbourhood that lies in an obstacle counts
// as full.
#include <math.h>
#include <mote/numeric.h>
#include <string.h>

#include "base/parallel.h"
#include "base/pi.h"
#include "base/random.h"
#include "foam/foam_data.h"

#define SPHERE_DRAG 0.5    // cited: of a sphere at high speed, Clift, Grace & Weber 1978
#define SPRAY_MOST 0.18    // cited: Ihmsen et al. 2012, 6 of the 33 of a full neighbourhood
#define FOAM_MOST 0.6      // cited: 20 of 33 (2012)
#define SUBSTEPS_MOST 100  // range
enum { GRAIN = 256, FLOW_GRAIN = 4096, BATCH = 65536 };

typedef struct move_job {
  mote_foam *foam;
  const mote_foam_flow *flow;
  const mote_foam_around *around;
  const mote_lists *lists;
  size_t first;     // particle of the first list
  double at, part;  // of the interval: the substep's begin, and its length
  double *x, *v;    // of the liquid
  float *covered;   // of each particle of foam: how much others cover it
} move_job;

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void flow_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const move_job *job = data;
  for (size_t i = begin; i < end; ++i)
    mote_foam_place(job->flow, i, job->at + 0.5 * job->part, job->x + 3 * i, job->v + 3 * i);
}

// --- One particle ------------------------------------------------------------------------------------------

typedef struct surroundings {
  double count;  // neighbours
  double u[3];   // their velocity, m/s
} surroundings;

static surroundings look(const move_job *job, size_t list, const double *x) {
  surroundings s = {0.0, {0.0, 0.0, 0.0}};
  double weight = 0.0, h = MOTE_FOAM_REACH * job->foam->def.spacing;
  const uint32_t *near = job->lists->index + job->lists->first[list];
  for (uint32_t k = 0; k < job->lists->number[list]; ++k) {
    const double *y = job->x + 3 * (size_t)near[k], *v = job->v + 3 * (size_t)near[k];
    double r[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]}, q = 1.0 - dot(r, r) / (h * h), w = q * q * q;
    weight += w, s.count += 1.0;
    for (int a = 0; a < 3; ++a) s.u[a] += w * v[a];
  }
  for (int a = 0; a < 3 && weight > 0.0; ++a) s.u[a] /= weight;
  return s;
}

// The part of a ball, in 2D of a disc, of radius h that lies beyond a plane at `distance` from its middle.
static double part_beyond(int dimensions, double distance, double h) {
  double s = distance / h;
  if (!(s < 1.0)) return 0.0;
  if (s < 0.0) s = 0.0;
  if (dimensions == 3) return 0.25 * (1.0 - s) * (1.0 - s) * (2.0 + s);
  return (mote_acos(s) - s * sqrt(1.0 - s * s)) / MOTE_PI;
}

static mote_foam_kind kind_of(const move_job *job, double count, double distance) {
  double reach = MOTE_FOAM_REACH, h = reach * job->foam->def.spacing;
  int dimensions = job->foam->def.dimensions;
  double full = dimensions == 3 ? 4.0 / 3.0 * MOTE_PI * reach * reach * reach : MOTE_PI * reach * reach;
  double part = count / full + (count > 0.0 ? part_beyond(dimensions, distance, h) : 0.0);
  return part < SPRAY_MOST ? MOTE_FOAM_SPRAY : part > FOAM_MOST ? MOTE_FOAM_BUBBLES : MOTE_FOAM_FOAM;
}

// Flies: gravity, and the drag of air where there is any.
static void fly(const mote_foam_def *def, double dt, double x[3], double v[3]) {
  double speed = sqrt(dot(v, v)),
         slow = 0.75 * SPHERE_DRAG * def->air_density / (def->density * def->size) * speed;
  for (int a = 0; a < def->dimensions; ++a) {
    double before = v[a];
    v[a] = (v[a] + dt * def->gravity[a]) / (1.0 + dt * slow);
    x[a] += 0.5 * dt * (before + v[a]);
  }
}

// Comes to rise through the liquid, with velocity u, at its speed; as fast as a fall would give it that.
static void rise(const mote_foam *foam, double dt, const double u[3], double x[3], double v[3]) {
  const double *g = foam->def.gravity;
  double size = sqrt(dot(g, g)), left = foam->rise > 0.0 ? mote_exp(-dt * size / foam->rise) : 0.0;
  for (int a = 0; a < foam->def.dimensions; ++a) {
    double end = u[a] - foam->rise * g[a] / size, before = v[a];
    v[a] = end + (v[a] - end) * left;
    x[a] += 0.5 * dt * (before + v[a]);
  }
}

static void float_along(const mote_foam_def *def, double dt, const double u[3], double x[3], double v[3]) {
  for (int a = 0; a < def->dimensions; ++a) v[a] = u[a], x[a] += dt * u[a];
}

// Out of an obstacle, and with its velocity across its surface where it moved into it.
static double keep_out(const move_job *job, double t, double x[3], double v[3]) {
  double n[3], w[3], least = 0.5 * job->foam->def.size;
  if (job->around->obstacle == NULL) return HUGE_VAL;
  double distance = job->around->obstacle(job->around->user, x, t, n, w);
  if (isnan(distance) || distance >= least) return distance;
  double into = (v[0] - w[0]) * n[0] + (v[1] - w[1]) * n[1] + (v[2] - w[2]) * n[2];
  for (int a = 0; a < job->foam->def.dimensions; ++a) {
    x[a] += (least - distance) * n[a];
    if (into < 0.0) v[a] -= into * n[a];
  }
  return least;
}

static void move_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const move_job *job = data;
  mote_foam *f = job->foam;
  for (size_t k = begin; k < end; ++k) {
    size_t i = job->first + k;
    double from = f->born[i] > job->at ? f->born[i] : job->at, till = job->at + job->part;
    double dt = (till - from) * job->flow->length, *x = f->position + 3 * i;
    if (!(dt > 0.0)) continue;
    double v[3] = {(double)f->velocity[3 * i], (double)f->velocity[3 * i + 1],
                   (double)f->velocity[3 * i + 2]};
    surroundings s = look(job, k, x);
    double distance = keep_out(job, job->flow->time + from * job->flow->length, x, v);
    f->kind[i] = kind_of(job, s.count, distance);
    if (f->kind[i] == MOTE_FOAM_SPRAY)
      fly(&f->def, dt, x, v);
    else if (f->kind[i] == MOTE_FOAM_FOAM)
      float_along(&f->def, dt, s.u, x, v);
    else
      rise(f, dt, s.u, x, v);
    distance = keep_out(job, job->flow->time + till * job->flow->length, x, v);
    if (f->kind[i] == MOTE_FOAM_FOAM) f->life[i] -= (float)dt / (1.0f + job->covered[i]);
    if (isnan(distance)) f->life[i] = 0.0f;
    for (size_t a = 0; a < 3; ++a) f->velocity[3 * i + a] = (float)v[a];
  }
}

// --- All ---------------------------------------------------------------------------------------------------

// Particles of foam by the cell of edge d that they are in: an open table of cells.
typedef struct crowd {
  uint64_t *cell;  // 0: free
  uint32_t *number;
  size_t mask;
} crowd;

static uint64_t cell_of(const mote_foam *f, const double *x) {
  uint64_t key = 1;
  for (int a = 0; a < 3; ++a) {
    double c = floor(x[a] / f->def.spacing);
    key = key << 21 | ((uint64_t)(int64_t)(fabs(c) < 0x1p60 ? c : 0.0) & 0x1fffff);
  }
  return key;
}

static uint32_t *find_cell(const crowd *table, uint64_t cell) {
  size_t k = (size_t)mote_random(cell, 0, 0).v[0] & table->mask;
  while (table->cell[k] != 0 && table->cell[k] != cell) k = (k + 1) & table->mask;
  table->cell[k] = cell;
  return &table->number[k];
}

// How much of the surface around each particle others cover: n discs of its size in the cross section of a
// cell.
static mote_result find_cover(mote_foam *f, float *covered, mote_error *error) {
  crowd table = {.mask = 1};
  while (table.mask < 2 * f->count) table.mask = 2 * table.mask + 1;
  MOTE_TAKE(table.cell, &f->scratch, table.mask + 1, error);
  MOTE_TAKE(table.number, &f->scratch, table.mask + 1, error);
  memset(table.cell, 0, (table.mask + 1) * sizeof *table.cell);
  memset(table.number, 0, (table.mask + 1) * sizeof *table.number);
  for (size_t i = 0; i < f->count; ++i) {
    if (f->kind[i] == MOTE_FOAM_FOAM) ++*find_cell(&table, cell_of(f, f->position + 3 * i));
  }
  double across = f->def.size / f->def.spacing,
         one = f->def.dimensions == 3 ? 0.25 * MOTE_PI * across * across : across;
  for (size_t i = 0; i < f->count; ++i)
    covered[i] = (float)(one * *find_cell(&table, cell_of(f, f->position + 3 * i)));
  return MOTE_OK;
}

// One substep of all particles, a part of them at a time: lists of their neighbours need much memory.
static mote_result move_all(move_job *job, mote_error *error) {
  mote_foam *f = job->foam;
  for (job->first = 0; job->first < f->count; job->first += BATCH) {
    size_t some = f->count - job->first < BATCH ? f->count - job->first : BATCH;
    mote_lists lists;
    MOTE_TRY(mote_grid_neighbours_at(f->grid, f->position + 3 * job->first, some, NULL, MOTE_REACH_GATHER,
                                     &lists, error));
    job->lists = &lists;
    mote_parallel_for(f->env.threads, some, GRAIN, move_chunk, job);
  }
  return MOTE_OK;
}

static double fastest(const move_job *job) {
  double most = 0.0;
  for (size_t i = 0; i < job->flow->count; ++i) {
    const double *v = job->flow->v0 + 3 * i, *w = job->flow->v1 + 3 * i;
    most = fmax(most, fmax(dot(v, v), dot(w, w)));
  }
  const float *u = job->foam->velocity;
  for (size_t i = 0; i < job->foam->count; ++i, u += 3)
    most =
        fmax(most, (double)u[0] * (double)u[0] + (double)u[1] * (double)u[1] + (double)u[2] * (double)u[2]);
  return sqrt(most) + sqrt(dot(job->foam->def.gravity, job->foam->def.gravity)) * job->flow->length;
}

static void remove_ended(mote_foam *f, mote_foam_report *report) {
  size_t kept = 0;
  for (size_t i = 0; i < f->count; ++i) {
    if (!(f->life[i] > 0.0f)) continue;
    memmove(f->position + 3 * kept, f->position + 3 * i, 3 * sizeof *f->position);
    memmove(f->velocity + 3 * kept, f->velocity + 3 * i, 3 * sizeof *f->velocity);
    f->id[kept] = f->id[i], f->kind[kept] = f->kind[i], f->life[kept] = f->life[i],
    f->size[kept] = f->size[i];
    f->born[kept++] = 0.0;
  }
  report->ended = f->count - kept;
  f->count = kept;
}

mote_result mote_foam_move(mote_foam *foam, const mote_foam_flow *flow, const mote_foam_around *around,
                           mote_foam_report *report, mote_error *error) {
  move_job job = {.foam = foam, .flow = flow, .around = around};
  if (foam->count == 0) return MOTE_OK;
  MOTE_TAKE(job.x, &foam->scratch, 3 * flow->count, error);
  MOTE_TAKE(job.v, &foam->scratch, 3 * flow->count, error);
  MOTE_TAKE(job.covered, &foam->scratch, foam->count, error);
  MOTE_TRY(find_cover(foam, job.covered, error));
  double steps = ceil(fastest(&job) * flow->length / (0.5 * foam->def.spacing));
  report->substeps = steps < 1.0 ? 1 : steps > SUBSTEPS_MOST ? SUBSTEPS_MOST : (int)steps;
  job.part = 1.0 / report->substeps;
  for (int k = 0; k < report->substeps; ++k) {
    job.at = (double)k / report->substeps;
    mote_parallel_for(foam->env.threads, flow->count, FLOW_GRAIN, flow_chunk, &job);
    MOTE_TRY(mote_grid_build(foam->grid, job.x, flow->count, error));
    MOTE_TRY(move_all(&job, error));
  }
  remove_ended(foam, report);
  return MOTE_OK;
}
