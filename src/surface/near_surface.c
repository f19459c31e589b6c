// Sums over the neighbours of each point: see near_surface.h. Weights are (1 - r^2/R^2)^3; what a full
// neighbourhood sums up to is taken from the cubic lattice.
#include "surface/near_surface.h"

#include <math.h>
#include <string.h>

#include "base/lane.h"
#include "base/parallel.h"
#include "surface/kernel_field.h"

#define GRAIN 64
// Parts of the full lattice's sums; jittered and flowing particles inside stay well within them, while one
// vacancy beside a particle moves the centre by 0.09 d.
#define FULL_WEIGHT 0.85
#define FULL_SPREAD 0.5
#define CENTRED 0.06  // spacings

// Candidates of one bin: positions from its corner in supports, volumes in d^3.
typedef struct crowd {
  mote_env env;
  float *place;  // x, y, z, volume: each `capacity` long
  size_t count, capacity;
  mote_point_run *run;
  size_t run_capacity;
  bool failed;
} crowd;

typedef struct near_work {
  const mote_point_set *set;
  double support;
  float least_weight, least_spread, centred2;  // in d^3, supports^2
  float density_scale;
  uint8_t *near;
  float *density;
  crowd *crowd;  // one per worker
} near_work;

// Sums over the cubic lattice: of the weights, and of x^2 by weight over them.
static void lattice_sums(double support, double *weight, double *spread) {
  int n = (int)ceil(support);
  double sum = 0.0, square = 0.0;
  for (int z = -n; z <= n; ++z) {
    for (int y = -n; y <= n; ++y) {
      for (int x = -n; x <= n; ++x) {
        double w = mote_bump_value(MOTE_BUMP_SMOOTH, (x * x + y * y + z * z) / (support * support));
        sum += w;
        square += w * x * x;
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

static bool crowd_gather(crowd *c, const near_work *w, const double corner[3]) {
  const mote_point_set *set = w->set;
  double low[3], high[3];
  for (int a = 0; a < 3; ++a) {
    low[a] = corner[a] - w->support;
    high[a] = corner[a] + set->bin_edge + w->support;
  }
  size_t runs, count = 0;
  if (!crowd_runs(c, set, low, high, &runs)) return false;
  for (size_t r = 0; r < runs; ++r) count += c->run[r].end - c->run[r].begin;
  size_t padded = (count + MOTE_LANES - 1) / MOTE_LANES * MOTE_LANES;
  size_t held = 4 * c->capacity;
  if (padded > c->capacity) {
    if (mote_reserve(&c->env, &c->place, &held, 4 * padded, sizeof *c->place, NULL)) return false;
    c->capacity = held / 4;
  }
  float *x = c->place, *y = x + c->capacity, *z = y + c->capacity, *v = z + c->capacity;
  double per_support = 1.0 / w->support, d = set->spacing;
  float per_volume = (float)(1.0 / (d * d * d));
  size_t n = 0;
  for (size_t r = 0; r < runs; ++r) {
    for (uint32_t p = c->run[r].begin; p < c->run[r].end; ++p, ++n) {
      const double *from = set->position + 3 * (size_t)p;
      x[n] = (float)((from[0] - corner[0]) * per_support);
      y[n] = (float)((from[1] - corner[1]) * per_support);
      z[n] = (float)((from[2] - corner[2]) * per_support);
      v[n] = set->volume[p] * per_volume;
    }
  }
  for (; n < padded; ++n) x[n] = y[n] = z[n] = v[n] = 0.0f;
  c->count = padded;
  return true;
}

typedef struct near_sums {
  mote_lane w, x, y, z, xx, xy, xz, yy, yz, zz, density;
} near_sums;

static near_sums sum_crowd(const crowd *c, const float at[3], bool density) {
  near_sums s;
  memset(&s, 0, sizeof s);
  const float *px = c->place, *py = px + c->capacity, *pz = py + c->capacity, *pv = pz + c->capacity;
  mote_lane zero = mote_lane_splat(0.0f);
  for (size_t n = 0; n < c->count; n += MOTE_LANES) {
    mote_lane x = mote_lane_load(px + n) - at[0], y = mote_lane_load(py + n) - at[1],
              z = mote_lane_load(pz + n) - at[2], v = mote_lane_load(pv + n);
    mote_lane q2 = x * x + y * y + z * z, t = mote_lane_max(1.0f - q2, zero), w = v * (t * t * t);
    mote_lane wx = w * x, wy = w * y, wz = w * z;
    s.w += w;
    s.x += wx, s.y += wy, s.z += wz;
    s.xx += wx * x, s.xy += wx * y, s.xz += wx * z;
    s.yy += wy * y, s.yz += wy * z, s.zz += wz * z;
    if (density) {
      mote_lane q = mote_lane_sqrt(q2), outer = mote_lane_max(1.0f - q, zero),
                inner = mote_lane_max(1.0f - 2.0f * q, zero);
      s.density += v * (2.0f * (outer * outer * outer) - inner * inner * inner);
    }
  }
  return s;
}

// Whether a symmetric matrix is positive definite: its leading minors are positive.
static bool is_definite(float xx, float xy, float xz, float yy, float yz, float zz) {
  float minor = xx * yy - xy * xy;
  float det = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  return xx > 0.0f && minor > 0.0f && det > 0.0f;
}

static bool is_deep(const near_work *w, const near_sums *s) {
  float sum = mote_lane_sum(s->w);
  if (!(sum >= w->least_weight)) return false;
  float per = 1.0f / sum, x = mote_lane_sum(s->x) * per, y = mote_lane_sum(s->y) * per,
        z = mote_lane_sum(s->z) * per;
  if (!(x * x + y * y + z * z <= w->centred2)) return false;
  float least = w->least_spread;
  return is_definite(mote_lane_sum(s->xx) * per - least, mote_lane_sum(s->xy) * per,
                     mote_lane_sum(s->xz) * per, mote_lane_sum(s->yy) * per - least,
                     mote_lane_sum(s->yz) * per, mote_lane_sum(s->zz) * per - least);
}

static void near_task(void *data, size_t begin, size_t end, int worker) {
  near_work *w = data;
  crowd *c = &w->crowd[worker];
  const mote_point_set *set = w->set;
  for (size_t bin = begin; bin < end && !c->failed; ++bin) {
    double corner[3];
    for (int a = 0; a < 3; ++a) corner[a] = set->bin_at[3 * bin + a] * set->bin_edge;
    if (!crowd_gather(c, w, corner)) {
      c->failed = true;
      return;
    }
    for (uint32_t p = set->first_point[bin]; p < set->first_point[bin + 1]; ++p) {
      float at[3];
      for (int a = 0; a < 3; ++a) {
        at[a] = (float)((set->position[3 * (size_t)p + a] - corner[a]) * (1.0 / w->support));
      }
      near_sums s = sum_crowd(c, at, w->density != NULL);
      w->near[p] = !is_deep(w, &s);
      if (w->density != NULL) w->density[p] = mote_lane_sum(s.density) * w->density_scale;
    }
  }
}

mote_result mote_near_surface(const mote_point_set *set, double support, const mote_env *env, uint8_t *near,
                              float *density, mote_error *error) {
  double d = set->spacing, ratio = support / d, weight, spread;
  lattice_sums(ratio, &weight, &spread);
  near_work w = {.set = set,
                 .support = support,
                 .least_weight = (float)(FULL_WEIGHT * weight),
                 .least_spread = (float)(FULL_SPREAD * spread / (ratio * ratio)),
                 .centred2 = (float)(CENTRED * CENTRED / (ratio * ratio)),
                 .density_scale = (float)(1.0 / (mote_bump_volume(MOTE_BUMP_SPLINE) * ratio * ratio * ratio)),
                 .near = near,
                 .density = density};
  size_t workers = (size_t)env->threads;
  w.crowd = mote_alloc(env, workers, sizeof *w.crowd);
  if (w.crowd == NULL) return mote_fail_memory(error, workers * sizeof *w.crowd);
  for (size_t k = 0; k < workers; ++k) w.crowd[k] = (crowd){.env = *env};
  mote_parallel_for(env->threads, set->bins, GRAIN, near_task, &w);
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
