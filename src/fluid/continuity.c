// The continuity equation: see continuity.h. Diffusion is
//   delta h c sum_j V_j [2 (D_j - D_i) - (s_i + s_j) . x_ji] (x_ji . grad W_ij) / r^2,   x_ji = x_j - x_i,
// with gradients s of D that are exact on linear fields: hydrostatic gradients do not diffuse, not even at a
// free surface. The sum over a fluid is zero.
#include "fluid/continuity.h"

#include <float.h>

#include "base/parallel.h"
#include "fluid/gradient_correction.h"
#include "fluid/individual_steps.h"
#include "fluid/sound_speed.h"
#include "fluid/tuning.inc"

// Data gathered per neighbour.
typedef struct layer_record {
  float slope[3], compression;
} layer_record;

typedef struct follow_job {
  mote_fluid *fluid;
  const mote_pressures *pressures;
  const mote_gradient_fix *fix;
  const mote_gradient_fix *walls;  // moments of the neighbouring samples; null: none
  layer_record *record;            // one more, the dummy's
  float dt;
} follow_job;

static void compression_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const follow_job *job = data;
  const mote_fluid *f = job->fluid;
  for (size_t i = begin; i < end; ++i) job->pressures->pressure_volume[i] = f->volume[i] * f->compression[i];
}

static void slope_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const follow_job *job = data;
  const mote_fluid *f = job->fluid;
  for (size_t i = begin; i < end; ++i) {
    float sum[3], own = f->compression[i], *kept = f->steps != NULL ? f->steps->slope + 3 * i : NULL;
    if (!mote_fluid_is_target(f, i)) {
      job->record[i] = (layer_record){{kept[0], kept[1], kept[2]}, own};
      continue;
    }
    mote_pair_lanes_gradient_sum(&f->pairs, i, job->pressures->pressure_volume, sum);
    for (int a = 0; a < 3; ++a) sum[a] -= own * f->gradient[3 * i + (size_t)a];
    mote_gradient_fix_apply(&job->fix[i], sum, job->record[i].slope);
    job->record[i].compression = own;
    for (int a = 0; a < 3 && kept != NULL; ++a) kept[a] = job->record[i].slope[a];
  }
}

// Among particles of one fluid only: densities jump at an interface.
static inline float diffusion(const follow_job *job, size_t i) {
  const mote_fluid *f = job->fluid;
  const layer_record *own = &job->record[i];
  mote_lane sum = {0};
  for (mote_groups g = mote_pair_groups(&f->pairs, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    const uint32_t *index = f->pairs.lanes[g.at].index;
    mote_pairs p = mote_pair_lanes_load(&f->pairs, i, g.at);
    mote_lane u[4], r2 = {0}, slope = {0}, same;
    for (int k = 0; k < 4; ++k) {
      size_t j = index[k] < f->count ? index[k] : i;
      u[k] = mote_lane_load(job->record + index[k]);
      same[k] = f->rest_density[j] == f->rest_density[i] ? 1.0f : 0.0f;
    }
    mote_lane_transpose(&u[0], &u[1], &u[2], &u[3]);
    for (int a = 0; a < 3; ++a) {
      r2 += p.x[a] * p.x[a];
      slope -= (own->slope[a] + u[a]) * p.x[a];
    }
    mote_lane along = -(mote_pair_lanes_gradient_factor(&f->pairs, g.at, &p) * r2) / (r2 + FLT_MIN);
    sum += same * p.volume * (2.0f * (u[3] - own->compression) - slope) * along;
  }
  return mote_lane_sum(sum);
}

// grad v from the neighbours in the fluid, G[a][b] = d v_a / d x_b: exact on linear fields.
static inline void velocity_gradient(const follow_job *job, size_t i, float G[3][3]) {
  const mote_fluid *f = job->fluid;
  mote_lane sum[3][3] = {{{0}}};
  for (mote_groups g = mote_pair_groups(&f->pairs, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    mote_lane u[4];
    for (int k = 0; k < 4; ++k) u[k] = mote_lane_load(job->pressures->flow[f->pairs.lanes[g.at].index[k]].u);
    mote_lane_transpose(&u[0], &u[1], &u[2], &u[3]);
    mote_pairs p = mote_pair_lanes_load(&f->pairs, i, g.at);
    mote_lane gradient_factor = mote_pair_lanes_gradient_factor(&f->pairs, g.at, &p);
    for (int b = 0; b < 3; ++b) {
      mote_lane gradient = gradient_factor * p.x[b];
      for (int a = 0; a < 3; ++a) sum[a][b] += u[a] * gradient;
    }
  }
  for (int a = 0; a < 3; ++a) {
    float row[3], v = f->velocity[3 * i + (size_t)a];
    for (int b = 0; b < 3; ++b) row[b] = mote_lane_sum(sum[a][b]) - v * f->gradient[3 * i + (size_t)b];
    mote_gradient_fix_apply(&job->fix[i], row, G[a]);
  }
}

// dD/dt = -div v, plus at walls the compression by their samples beyond that of the linearly continued
// velocity field. The plain rate, adjoint to the force, is biased: where particles form strings it finds
// compression in every shear flow; mean density and energy of a confined fluid grow without bound.
static inline float rate_of(const follow_job *job, size_t i) {
  static const int entry[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  const mote_fluid *f = job->fluid;
  float G[3][3], rate = -f->wall_flow[i];
  velocity_gradient(job, i, G);
  for (int a = 0; a < 3; ++a) {
    rate += f->velocity[3 * i + (size_t)a] * f->wall[3 * i + (size_t)a] - G[a][a];
    for (int b = 0; b < 3 && job->walls != NULL; ++b) rate += job->walls[i].m[entry[a][b]] * G[a][b];
  }
  return rate;
}

static void advance_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const follow_job *job = data;
  mote_fluid *f = job->fluid;
  for (size_t k = begin; k < end; ++k) {
    size_t i = mote_fluid_row(f, k);
    float rate = rate_of(job, i);
    if (job->record != NULL) {
      double c = mote_sound_of(f, i);
      rate += (float)(f->solver.density_diffusion * 0.5 * f->support * c) * diffusion(job, i);
    }
    if (f->steps != NULL) {
      f->steps->rate[i] = rate;
      continue;
    }
    float now = f->compression[i] + job->dt * rate;
    f->compression[i] = now > MOTE_COMPRESSION_LEAST ? now : MOTE_COMPRESSION_LEAST;
  }
}

static mote_result take_fixes(follow_job *job, mote_error *error) {
  mote_gradient_fix *fix, *walls;
  MOTE_TRY(mote_gradient_fix_take(job->fluid, false, &fix, error));
  MOTE_TRY(mote_wall_moments_take(job->fluid, &walls, error));
  job->fix = fix, job->walls = walls;
  return MOTE_OK;
}

static mote_result take_slopes(follow_job *job, mote_error *error) {
  mote_fluid *f = job->fluid;
  MOTE_TAKE(job->record, f->scratch, f->count + 1, error);
  job->record[f->count] = (layer_record){.compression = 0.0f};
  mote_parallel_for(f->env.threads, f->count, MOTE_FLUID_LIGHT_GRAIN, compression_chunk, job);
  mote_parallel_for(f->env.threads, f->count, MOTE_FLUID_GRAIN, slope_chunk, job);
  return MOTE_OK;
}

mote_result mote_continuity_advance(mote_fluid *fluid, const mote_pressures *pressures, double dt,
                                    mote_error *error) {
  MOTE_ASSERT(dt >= 0.0);
  MOTE_ASSERT(fluid->compression != NULL);
  MOTE_ASSERT(pressures->flow != NULL || fluid->count == 0);
  mote_arena_mark mark = mote_arena_here(fluid->scratch);
  follow_job job = {.fluid = fluid, .pressures = pressures, .dt = (float)dt};
  mote_result result = take_fixes(&job, error);
  if (result == MOTE_OK && fluid->solver.density_diffusion > 0.0) result = take_slopes(&job, error);
  if (result == MOTE_OK) {
    mote_pressures_flow(pressures, fluid);
    mote_parallel_for(fluid->env.threads, mote_fluid_rows(fluid), MOTE_FLUID_GRAIN, advance_chunk, &job);
  }
  mote_arena_release(fluid->scratch, mark);
  return result;
}
