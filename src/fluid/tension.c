// Surface tension: see tension.h. One pass finds normals where there are walls or several fluids (of one
// fluid they are g of the step), one makes forces of them; walls have their own rows.
#include "fluid/tension.h"

#include <math.h>

#include "base/parallel.h"
#include "fluid/tuning.inc"
#include "material/tuning.inc"

typedef struct tension_job {
  const mote_fluid *fluid;
  const mote_wall_pairs *walls;
  mote_tension_view view;
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

// --- Forces ---

static void normal_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  mote_tension_view v = ((const tension_job *)data)->view;
  for (size_t i = begin; i < end; ++i) mote_normal_row(&v, i);
}

static void wall_normal_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const tension_job *job = data;
  mote_tension_view v = job->view;
  for (size_t n = begin; n < end; ++n) mote_wall_normal_row(&v, job->walls, n);
}

static void scale_normal_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  mote_tension_view v = ((const tension_job *)data)->view;
  for (size_t i = begin; i < end; ++i) mote_scale_normal_row(&v, i);
}

static void force_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  mote_tension_view v = ((const tension_job *)data)->view;
  for (size_t i = begin; i < end; ++i) mote_tension_row(&v, i);
}

static void wall_force_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const tension_job *job = data;
  mote_tension_view v = job->view;
  for (size_t n = begin; n < end; ++n) mote_wall_tension_row(&v, job->walls, n);
}

// Runs a task over the rows of particles near walls.
static void at_walls(tension_job *job, mote_task *task) {
  for (int p = 0; p < MOTE_BOUNDARY_PARTS; ++p) {
    job->walls = &job->fluid->walls[p];
    mote_parallel_for(job->fluid->env.threads, job->walls->sample_neighbours.rows, MOTE_FLUID_GRAIN, task,
                      job);
  }
}

static mote_result make_view(mote_fluid *f, mote_tension_view *v, mote_error *error) {
  const mote_tension *t = f->tension;
  double noise = MOTE_TENSION_NOISE / f->support;
  MOTE_TAKE(v->normal, f->scratch, f->count + 1, error);
  v->normal[f->count] = (mote_tension_normal){.kind = 0.0f};
  v->pairs = f->pairs, v->kinds = t->kinds, v->bond = t->bond, v->wall = t->wall, v->curve = t->curve;
  v->kind = f->kind, v->gradient = f->gradient, v->rest_density = f->rest_density;
  v->acceleration = f->acceleration, v->noise = (float)(noise * noise);
  return MOTE_OK;
}

mote_result mote_tension_forces(mote_fluid *fluid, mote_error *error) {
  MOTE_ASSERT(fluid->tension == NULL || fluid->kind != NULL || fluid->count == 0);
  if (fluid->tension == NULL || fluid->solver.tension == MOTE_TENSION_MESH) return MOTE_OK;
  size_t n = fluid->count;
  int threads = fluid->env.threads;
  mote_arena_mark mark = mote_arena_here(fluid->scratch);
  tension_job job = {.fluid = fluid};
  MOTE_TRY(make_view(fluid, &job.view, error));
  mote_parallel_for(threads, n, MOTE_FLUID_GRAIN, normal_chunk, &job);
  at_walls(&job, wall_normal_chunk);
  mote_parallel_for(threads, n, MOTE_FLUID_LIGHT_GRAIN, scale_normal_chunk, &job);
  mote_parallel_for(threads, n, MOTE_FLUID_GRAIN, force_chunk, &job);
  at_walls(&job, wall_force_chunk);
  mote_arena_release(fluid->scratch, mark);
  return MOTE_OK;
}
