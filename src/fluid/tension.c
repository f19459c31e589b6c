// Surface tension: see tension.h. One pass finds normals where there are walls or several fluids (of one
// fluid they are g of the step), one makes forces of them; walls have their own rows.
#include "fluid/tension.h"

#include <math.h>

#include "base/parallel.h"
#include "fluid/tuning.inc"
#include "material/tuning.inc"
#include "rows/pair_lanes.h"

// Data gathered per neighbour: its normal n, later 2 sigma n / |n|.
typedef struct normal_record {
  float n[3], kind;
} normal_record;

typedef struct tension_job {
  mote_fluid *fluid;
  const mote_tension *tension;
  normal_record *record;  // one more, the dummy's
  float noise;            // e^2
  const mote_wall_pairs *walls;
} tension_job;

// --- The table ---

static mote_tension_bond bond_of(const mote_fluid *fluid, mote_tension_pair pair) {
  double s = mote_tension_strength(fluid->domain.dimensions, fluid->support, pair.pairs);
  return (mote_tension_bond){(float)s, (float)pair.normal};
}

static void fill_table(const mote_fluid *fluid, const mote_material_def **material, mote_tension *t) {
  const mote_tension_plane *plane = &fluid->plane;
  for (size_t a = 0; a < t->kinds; ++a) {
    const mote_material_def *own = material[a];
    double sigma = own->surface_tension;
    t->sigma[a] = sigma;
    t->quickest = fmax(t->quickest, sigma / own->density);
    t->curve[a] = (float)(2.0 * plane->strength * (1.0 - plane->share) * sigma);
    t->wall[a] = bond_of(fluid, mote_tension_wall(plane, sigma, own->contact_angle));
    for (size_t b = 0; b < t->kinds; ++b) {
      double between = a == b ? 0.0 : mote_tension_between(own, material[b]);
      mote_tension_pair pair = mote_tension_fluids(plane, sigma, material[b]->surface_tension, between);
      t->bond[a * t->kinds + b] = bond_of(fluid, pair);
    }
  }
}

mote_result mote_tension_make(mote_fluid *fluid, const mote_material_def **material, size_t kinds,
                              mote_tension **out, mote_error *error) {
  MOTE_ASSERT(material != NULL || kinds == 0);
  MOTE_ASSERT(out != NULL);
  bool any = false;
  for (size_t k = 0; k < kinds; ++k) any = any || material[k]->surface_tension > 0.0;
  *out = NULL;
  if (!any) return MOTE_OK;
  if (!(fluid->plane.strength > 0.0)) {
    fluid->plane = mote_tension_plane_make(&fluid->solver, fluid->domain.dimensions);
  }
  mote_arena *arena = fluid->scratch;
  MOTE_TAKE_NEW(mote_tension, t, arena, 1, error);
  MOTE_TAKE_NEW(mote_tension_bond, bond, arena, kinds * (kinds + 1), error);
  MOTE_TAKE_NEW(float, curve, arena, kinds, error);
  MOTE_TAKE_NEW(double, sigma, arena, kinds, error);
  *t = (mote_tension){kinds, bond, bond + kinds * kinds, curve, sigma, 0.0};
  fill_table(fluid, material, t);
  *out = t;
  return MOTE_OK;
}

double mote_tension_step_limit(const mote_fluid *fluid) {
  MOTE_ASSERT(fluid->spacing > 0.0);
  const mote_tension *t = fluid->tension;
  if (t == NULL) return HUGE_VAL;
  bool mesh = fluid->solver.tension == MOTE_TENSION_MESH;
  return (mesh ? MESH_STEP : 1.0) * mote_capillary_step(fluid->spacing, t->quickest);
}

// --- Normals ---

static inline const mote_tension_bond *bonds_of(const tension_job *job, size_t i) {
  return job->tension->bond + job->fluid->kind[i] * job->tension->kinds;
}

static void mixed_normal(const tension_job *job, size_t i, float n[3]) {
  const mote_fluid *f = job->fluid;
  const mote_tension_bond *bond = bonds_of(job, i);
  mote_lane sum[3] = {{0}, {0}, {0}};
  for (mote_groups g = mote_pair_groups(&f->pairs, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    mote_pairs p = mote_pair_lanes_load(&f->pairs, i, g.at);
    mote_lane w = p.volume * mote_pair_lanes_gradient_factor(&f->pairs, g.at, &p);
    for (int k = 0; k < MOTE_LANES; ++k) w[k] *= bond[f->kind[f->pairs.lanes[g.at].index[k]]].blend;
    for (int a = 0; a < 3; ++a) sum[a] += w * p.x[a];
  }
  for (int a = 0; a < 3; ++a) n[a] = mote_lane_sum(sum[a]);
}

static void normal_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const tension_job *job = data;
  const mote_fluid *f = job->fluid;
  for (size_t i = begin; i < end; ++i) {
    normal_record *r = &job->record[i];
    if (job->tension->kinds > 1) mixed_normal(job, i, r->n);
    for (int a = 0; a < 3 && job->tension->kinds == 1; ++a) r->n[a] = f->gradient[3 * i + (size_t)a];
    r->kind = (float)f->kind[i];
  }
}

static void wall_normal_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const tension_job *job = data;
  const mote_wall_pairs *w = job->walls;
  for (size_t row = begin; row < end; ++row) {
    float sum[3];
    size_t i = w->index[row];
    float blend = job->tension->wall[job->fluid->kind[i]].blend;
    mote_pair_set_gradient_sum(&w->sample_neighbours, row, w->volume, sum);
    for (int a = 0; a < 3; ++a) job->record[i].n[a] += blend * sum[a];
  }
}

static void scale_normal_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const tension_job *job = data;
  for (size_t i = begin; i < end; ++i) {
    float *n = job->record[i].n, square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    float scale = job->tension->curve[job->fluid->kind[i]] / sqrtf(square + job->noise);
    for (int a = 0; a < 3; ++a) n[a] *= scale;
  }
}

// --- Forces ---

// Adds the forces of four pairs over V_i: -b V_j (grad grad W)(m_i - m_j), and the attraction.
static inline void add_pairs(const tension_job *job, const mote_pairs *p, mote_lane tension_factor,
                             mote_lane blend, const mote_lane m[3], mote_lane sum[3]) {
  mote_lane slope = mote_pairs_gradient_factor(&job->fluid->pairs.scale, p),
            second = mote_pairs_second(&job->fluid->pairs.scale, p);
  mote_lane t = mote_lane_max(1.0f - p->q, mote_lane_splat(0.0f)), along = mote_lane_splat(0.0f);
  mote_lane square = p->x[0] * p->x[0] + p->x[1] * p->x[1] + p->x[2] * p->x[2];
  for (int a = 0; a < 3; ++a) along += m[a] * p->x[a];
  along *= (second - slope) / mote_lane_max(square, mote_lane_splat(0x1p-100f));
  mote_lane attract = tension_factor * (t * t) * job->fluid->pairs.scale.inverse;
  for (int a = 0; a < 3; ++a) {
    sum[a] -= p->volume * (attract * p->x[a] + blend * (slope * m[a] + along * p->x[a]));
  }
}

static void force_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const tension_job *job = data;
  mote_fluid *f = job->fluid;
  for (size_t i = begin; i < end; ++i) {
    const mote_tension_bond *bond = bonds_of(job, i);
    const float *own = job->record[i].n;
    mote_lane sum[3] = {{0}, {0}, {0}};
    for (mote_groups g = mote_pair_groups(&f->pairs, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
      const uint32_t *j = f->pairs.lanes[g.at].index;
      mote_pairs p = mote_pair_lanes_load(&f->pairs, i, g.at);
      mote_lane u[4], tension_factor, blend;
      for (int k = 0; k < MOTE_LANES; ++k) {
        u[k] = mote_lane_load(job->record + j[k]);
        const mote_tension_bond *b = &bond[(size_t)u[k][3]];
        tension_factor[k] = b->tension_factor, blend[k] = b->blend;
      }
      mote_lane_transpose(&u[0], &u[1], &u[2], &u[3]);
      mote_lane m[3] = {own[0] - u[0], own[1] - u[1], own[2] - u[2]};
      add_pairs(job, &p, tension_factor, blend, m, sum);
    }
    for (int a = 0; a < 3; ++a)
      f->acceleration[3 * i + (size_t)a] += mote_lane_sum(sum[a]) / f->rest_density[i];
  }
}

static void wall_force_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const tension_job *job = data;
  const mote_wall_pairs *w = job->walls;
  mote_fluid *f = job->fluid;
  for (size_t row = begin; row < end; ++row) {
    size_t i = w->index[row];
    const mote_tension_bond *wall = &job->tension->wall[f->kind[i]];
    const float *own = job->record[i].n;
    mote_lane tension_factor = mote_lane_splat(wall->tension_factor), blend = mote_lane_splat(wall->blend),
              sum[3] = {{0}, {0}, {0}};
    mote_lane m[3] = {mote_lane_splat(own[0]), mote_lane_splat(own[1]), mote_lane_splat(own[2])};
    for (mote_groups g = mote_wall_groups(&w->sample_neighbours, row); g.at < g.end;
         g.at += MOTE_GROUP_STRIDE) {
      mote_pairs p = mote_pairs_load(&job->fluid->pairs.scale, &f->fixed_position[i], w->fixed_position,
                                     w->sample_neighbours.group[g.at].index);
      add_pairs(job, &p, tension_factor, blend, m, sum);
    }
    for (int a = 0; a < 3; ++a)
      f->acceleration[3 * i + (size_t)a] += mote_lane_sum(sum[a]) / f->rest_density[i];
  }
}

// Runs a task over the rows of particles near walls.
static void at_walls(tension_job *job, mote_task *task) {
  for (int p = 0; p < MOTE_BOUNDARY_PARTS; ++p) {
    job->walls = &job->fluid->walls[p];
    mote_parallel_for(job->fluid->env.threads, job->walls->sample_neighbours.rows, MOTE_FLUID_GRAIN, task,
                      job);
  }
}

mote_result mote_tension_forces(mote_fluid *fluid, mote_error *error) {
  MOTE_ASSERT(fluid->tension == NULL || fluid->kind != NULL || fluid->count == 0);
  if (fluid->tension == NULL || fluid->solver.tension == MOTE_TENSION_MESH) return MOTE_OK;
  size_t n = fluid->count;
  int threads = fluid->env.threads;
  mote_arena_mark mark = mote_arena_here(fluid->scratch);
  tension_job job = {.fluid = fluid, .tension = fluid->tension};
  double noise = MOTE_TENSION_NOISE / fluid->support;
  job.noise = (float)(noise * noise);
  MOTE_TAKE(job.record, fluid->scratch, n + 1, error);
  job.record[n] = (normal_record){.kind = 0.0f};
  mote_parallel_for(threads, n, MOTE_FLUID_GRAIN, normal_chunk, &job);
  at_walls(&job, wall_normal_chunk);
  mote_parallel_for(threads, n, MOTE_FLUID_LIGHT_GRAIN, scale_normal_chunk, &job);
  mote_parallel_for(threads, n, MOTE_FLUID_GRAIN, force_chunk, &job);
  at_walls(&job, wall_force_chunk);
  mote_arena_release(fluid->scratch, mark);
  return MOTE_OK;
}
