// Sums over the neighbours of each point: see near_surface.h. Weights are 1 - q^2, q = r/R, which tell a full
// neighbourhood from others best; what a full one sums up to is taken from the cubic packing.
#include "surface/near_surface.h"

#include <math.h>
#include <string.h>

#include "base/lane.h"
#include "base/parallel.h"
#include "surface/kernel_field.h"
#include "surface/tuning.inc"

#define BINS_PER_TASK 64

// Candidates of one bin: positions from its corner in supports of its largest point, volumes in d^3.
typedef struct crowd {
  mote_env env;
  float *place;  // x, y, z, volume: each `capacity` long
  size_t count, capacity;
  mote_point_run *run;
  size_t run_capacity;
  double support;  // of the bin, m
  bool failed;
} crowd;

typedef struct near_work {
  const mote_point_set *set;
  double support;                              // own spacings
  float least_weight, least_spread, centred2;  // weight in d^3, lengths in supports
  float density_scale;
  uint8_t *near;
  float *density;
  crowd *crowd;  // one per worker
} near_work;

// Sums over the cubic packing: of the weights, and the mean of q^2 by weight.
static void packing_sums(double support, double *weight, double *spread) {
  int n = (int)ceil(support);
  double sum = 0.0, square = 0.0;
  for (int z = -n; z <= n; ++z) {
    for (int y = -n; y <= n; ++y) {
      for (int x = -n; x <= n; ++x) {
        double q2 = (x * x + y * y + z * z) / (support * support), w = q2 < 1.0 ? 1.0 - q2 : 0.0;
        sum += w;
        square += w * q2;
      }
    }
  }
  *weight = sum;
  *spread = square / sum;
}

static bool crowd_runs(crowd *c, const mote_point_set *set, const double low[3], const double high[3],
                       size_t *runs) {
  if (mote_reserve(&c->env, &c->run, &c->run_capacity, 32, sizeof *c->run, NULL)) return false;
  *runs = mote_point_set_runs(set, low, high, c->run, c->run_capacity);
  if (*runs <= c->run_capacity) return true;
  if (mote_reserve(&c->env, &c->run, &c->run_capacity, *runs, sizeof *c->run, NULL)) return false;
  mote_point_set_runs(set, low, high, c->run, c->run_capacity);
  return true;
}

// Not farther than a support from the bin, whose corner is the origin.
static inline bool touches(float x, float y, float z, float edge) {
  float at[3] = {x, y, z}, square = 0.0f;
  for (int a = 0; a < 3; ++a) {
    float below = -at[a], above = at[a] - edge, out = below > above ? below : above;
    square += out > 0.0f ? out * out : 0.0f;
  }
  return square < 1.0f;
}

static void crowd_fill(crowd *c, const near_work *w, const double corner[3], size_t runs) {
  const mote_point_set *set = w->set;
  float *x = c->place, *y = x + c->capacity, *z = y + c->capacity, *v = z + c->capacity;
  double per_support = 1.0 / c->support, d = set->spacing;
  float per_volume = (float)(1.0 / (d * d * d)), edge = (float)(set->bin_edge * per_support);
  size_t n = 0;
  for (size_t r = 0; r < runs; ++r) {
    for (uint32_t p = c->run[r].begin; p < c->run[r].end; ++p) {
      const double *from = set->position + 3 * (size_t)p;
      x[n] = (float)((from[0] - corner[0]) * per_support);
      y[n] = (float)((from[1] - corner[1]) * per_support);
      z[n] = (float)((from[2] - corner[2]) * per_support);
      v[n] = mote_point_volume(set, p) * per_volume;
      n += touches(x[n], y[n], z[n], edge);
    }
  }
  for (; n % MOTE_LANES != 0; ++n) x[n] = y[n] = z[n] = v[n] = 0.0f;
  c->count = n;
}

static bool crowd_gather(crowd *c, const near_work *w, const double corner[3]) {
  double low[3], high[3];
  for (int a = 0; a < 3; ++a) {
    low[a] = corner[a] - c->support;
    high[a] = corner[a] + w->set->bin_edge + c->support * (1.0 - 1e-9);  // not the bin that begins there
  }
  size_t runs, count = MOTE_LANES, held = 4 * c->capacity;
  if (!crowd_runs(c, w->set, low, high, &runs)) return false;
  for (size_t r = 0; r < runs; ++r) count += c->run[r].end - c->run[r].begin;
  if (count > c->capacity) {
    count += count / 2 + MOTE_LANES - (count + count / 2) % MOTE_LANES;
    if (mote_reserve(&c->env, &c->place, &held, 4 * count, sizeof *c->place, NULL)) return false;
    c->capacity = held / 4;
  }
  crowd_fill(c, w, corner, runs);
  return true;
}

typedef struct near_sums {
  mote_lane w, x, y, z, spread, density;
} near_sums;

// scale: the support of the bin over that of the point at `at`.
static inline near_sums sum_crowd(const crowd *c, const float at[3], float scale) {
  near_sums s;
  memset(&s, 0, sizeof s);
  const float *px = c->place, *py = px + c->capacity, *pz = py + c->capacity, *pv = pz + c->capacity;
  for (size_t n = 0; n < c->count; n += MOTE_LANES) {
    mote_lane x = mote_lane_load(px + n) - at[0], y = mote_lane_load(py + n) - at[1],
              z = mote_lane_load(pz + n) - at[2];
    mote_lane q2 = (x * x + y * y + z * z) * (scale * scale),
              t = mote_lane_max(1.0f - q2, mote_lane_splat(0.0f));
    mote_lane w = mote_lane_load(pv + n) * t;
    s.w += w;
    s.x += w * x, s.y += w * y, s.z += w * z;
    s.spread += w * q2;
    s.density += w * (t * (t * t));  // the bump of densities
  }
  return s;
}

// `bulk`: d^3 over the point's own volume of a packing.
static bool is_deep(const near_work *w, const near_sums *s, float scale, float bulk) {
  float sum = mote_lane_sum(s->w);
  if (!(bulk * sum >= w->least_weight)) return false;
  float x = mote_lane_sum(s->x), y = mote_lane_sum(s->y), z = mote_lane_sum(s->z);
  if (!((x * x + y * y + z * z) * (scale * scale) <= w->centred2 * (sum * sum))) return false;
  return mote_lane_sum(s->spread) >= w->least_spread * sum;
}

static double largest_in_bin(const mote_point_set *set, size_t bin) {
  double largest = set->spacing;
  if (set->size == NULL) return largest;
  largest = 0.0;
  for (uint32_t p = set->first_point[bin]; p < set->first_point[bin + 1]; ++p)
    if ((double)set->size[p] > largest) largest = (double)set->size[p];
  return largest;
}

static void near_task(void *data, size_t begin, size_t end, int worker) {
  near_work *w = data;
  crowd *c = &w->crowd[worker];
  const mote_point_set *set = w->set;
  for (size_t bin = begin; bin < end && !c->failed; ++bin) {
    double corner[3];
    for (int a = 0; a < 3; ++a) corner[a] = set->bin_at[3 * bin + a] * set->bin_edge;
    double largest = largest_in_bin(set, bin);
    c->support = w->support * largest;
    if (!crowd_gather(c, w, corner)) {
      c->failed = true;
      return;
    }
    for (uint32_t p = set->first_point[bin]; p < set->first_point[bin + 1]; ++p) {
      float at[3];
      for (int a = 0; a < 3; ++a) {
        at[a] = (float)((set->position[3 * (size_t)p + a] - corner[a]) * (1.0 / c->support));
      }
      double size = mote_point_size(set, p), ratio = set->spacing / size;
      float scale = (float)(largest / size), bulk = (float)(ratio * ratio * ratio);
      // The loop of sets of one size has no scale.
      near_sums s = set->size == NULL ? sum_crowd(c, at, 1.0f) : sum_crowd(c, at, scale);
      w->near[p] = !is_deep(w, &s, scale, bulk);
      if (w->density != NULL) w->density[p] = bulk * mote_lane_sum(s.density) * w->density_scale;
    }
  }
}

mote_result mote_near_surface(const mote_point_set *set, double support, const mote_env *env, uint8_t *near,
                              float *density, mote_error *error) {
  MOTE_ASSERT(support > 0.0 && set->spacing > 0.0);
  MOTE_ASSERT(near != NULL || set->count == 0);
  double d = set->spacing, ratio = support * d / d, weight, spread;
  packing_sums(ratio, &weight, &spread);
  near_work w = {.set = set,
                 .support = support,
                 .least_weight = (float)(FULL_WEIGHT * weight),
                 .least_spread = (float)(FULL_SPREAD * spread),
                 .centred2 = (float)(CENTRED_DISTANCE * CENTRED_DISTANCE / (ratio * ratio)),
                 .density_scale = (float)(1.0 / (mote_bump_volume(MOTE_BUMP_SMOOTH) * ratio * ratio * ratio)),
                 .near = near,
                 .density = density};
  size_t workers = (size_t)env->threads;
  MOTE_ALLOC(w.crowd, env, workers, error);
  for (size_t k = 0; k < workers; ++k) w.crowd[k] = (crowd){.env = *env};
  mote_parallel_for(env->threads, set->bins, BINS_PER_TASK, near_task, &w);
  bool failed = false;
  for (size_t k = 0; k < workers; ++k) {
    crowd *c = &w.crowd[k];
    failed = failed || c->failed;
    mote_free(env, c->place, 4 * c->capacity, sizeof *c->place);
    mote_free(env, c->run, c->run_capacity, sizeof *c->run);
  }
  mote_free(env, w.crowd, workers, sizeof *w.crowd);
  return failed ? mote_fail_memory(error, set->count) : MOTE_OK;
}
