// Velocity field of the particles (YU11 5.1, task 1). The mean velocity of the particles near a surface point
// is that of their centroid, which lies inside of the fluid. Therefore each particle's velocity is first
// extrapolated to the point with the gradient of a linear fit to its neighbours. docs/theory/tracking.md
#include <math.h>
#include <mote/numeric.h>
#include <mote/track.h>
#include <stdatomic.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "geom/triple.h"
#include "track/tracked_mesh.h"
#include "track/tuning.inc"

#define NEAR_MOST 2048  // particles of one fit: 113 at the density of rest
#define POINTS_PER_TASK 64

enum { FIT_NONE, FIT_ASKED, FIT_FOUND };

struct mote_track_flow {
  mote_env env;
  double spacing;
  mote_track_velocity kind;
  size_t count;
  double from, to;      // s
  double *path;         // 12 each: position and velocity at both times
  double *now;          // 15 each, one after the other: position, velocity and its gradient at `time`
  atomic_uchar *known;  // of each gradient: FIT_...
  size_t path_capacity, now_capacity, known_capacity;
  double time;             // of the grid; NaN: none
  mote_grid *grid, *wide;  // for means, for fits
};

mote_result mote_track_flow_create(double spacing, mote_track_velocity velocity, const mote_env *env,
                                   mote_track_flow **out, mote_error *error) {
  if (out == NULL) return mote_fail(error, MOTE_ERROR_ARGUMENT, "out must not be NULL");
  if (!(spacing > 0.0 && isfinite(spacing)))
    return mote_fail_key(error, "spacing", "a length above 0 is needed");
  if ((unsigned)velocity > MOTE_TRACK_MEAN) return mote_fail_key(error, "velocity", "no such kind");
  mote_env resolved = mote_env_resolve(env);
  mote_grid_def def = mote_grid_def_default(MEAN_REACH * spacing);
  mote_grid_def wide = mote_grid_def_default(FIT_REACH * spacing);
  MOTE_ALLOC_NEW(mote_track_flow, f, &resolved, 1, error);
  *f = (mote_track_flow){.env = resolved, .spacing = spacing, .kind = velocity, .time = (double)NAN};
  mote_result result = mote_grid_create(&def, &resolved, &f->grid, error);
  if (result == MOTE_OK) result = mote_grid_create(&wide, &resolved, &f->wide, error);
  if (result) {
    mote_track_flow_destroy(f);
    return result;
  }
  *out = f;
  return MOTE_OK;
}

void mote_track_flow_destroy(mote_track_flow *f) {
  if (f == NULL) return;
  mote_env env = f->env;
  mote_grid_destroy(f->grid);
  mote_grid_destroy(f->wide);
  if (f->path != NULL) mote_free(&env, f->path, f->path_capacity, 12 * sizeof *f->path);
  if (f->now != NULL) mote_free(&env, f->now, f->now_capacity, 15 * sizeof *f->now);
  if (f->known != NULL) mote_free(&env, f->known, f->known_capacity, sizeof *f->known);
  mote_free(&env, f, 1, sizeof *f);
}

static bool is_moment(const mote_track_moment *m) {
  return m != NULL && isfinite(m->time) && (m->count == 0 || (m->position != NULL && m->velocity != NULL));
}

mote_result mote_track_flow_set(mote_track_flow *f, const mote_track_moment *from,
                                const mote_track_moment *to, mote_error *error) {
  if (f == NULL || !is_moment(from))
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "a flow and a moment are needed");
  if (to != NULL && (!is_moment(to) || to->count != from->count || !(to->time > from->time)))
    return mote_fail(error, MOTE_ERROR_ARGUMENT,
                     "the second moment needs the same particles at a later time");
  MOTE_TRY(mote_reserve(&f->env, &f->path, &f->path_capacity, from->count, 12 * sizeof *f->path, error));
  MOTE_TRY(mote_reserve(&f->env, &f->now, &f->now_capacity, from->count, 15 * sizeof *f->now, error));
  MOTE_TRY(mote_reserve(&f->env, &f->known, &f->known_capacity, from->count, sizeof *f->known, error));
  f->count = from->count, f->from = from->time, f->to = to != NULL ? to->time : from->time + 1.0;
  f->time = (double)NAN;
  for (size_t i = 0; i < f->count; ++i) {
    double *p = f->path + 12 * i;
    for (size_t k = 0; k < 3; ++k) {
      p[k] = from->position[3 * i + k], p[3 + k] = from->velocity[3 * i + k];
      p[6 + k] = to != NULL ? to->position[3 * i + k] : p[k] + p[3 + k];
      p[9 + k] = to != NULL ? to->velocity[3 * i + k] : p[3 + k];
      if (!isfinite(p[k]) || !isfinite(p[3 + k]) || !isfinite(p[6 + k]) || !isfinite(p[9 + k]))
        return f->count = 0, mote_fail(error, MOTE_ERROR_ARGUMENT, "particle %zu is not finite", i);
    }
  }
  return MOTE_OK;
}

// Cubic Hermite interpolation, and its derivative.
static bool move_to(mote_track_flow *f, double time) {
  if (time == f->time) return true;
  double length = f->to - f->from, s = (time - f->from) / length, *x = f->now;
  double h00 = (1.0 + 2.0 * s) * (1.0 - s) * (1.0 - s), h10 = s * (1.0 - s) * (1.0 - s);
  double h01 = s * s * (3.0 - 2.0 * s), h11 = s * s * (s - 1.0);
  double d00 = 6.0 * s * (s - 1.0), d10 = (1.0 - s) * (1.0 - 3.0 * s), d11 = s * (3.0 * s - 2.0);
  double *velocity = f->now + 3 * f->count;
  for (size_t i = 0; i < f->count; ++i) {
    const double *p = f->path + 12 * i;
    atomic_init(&f->known[i], FIT_NONE);
    for (size_t k = 0; k < 3; ++k) {
      x[3 * i + k] = h00 * p[k] + h10 * length * p[3 + k] + h01 * p[6 + k] + h11 * length * p[9 + k];
      velocity[3 * i + k] = d00 * (p[k] - p[6 + k]) / length + d10 * p[3 + k] + d11 * p[9 + k];
    }
  }
  bool built = mote_grid_build(f->grid, x, f->count, NULL) == MOTE_OK &&
               mote_grid_build(f->wide, x, f->count, NULL) == MOTE_OK;
  f->time = built ? time : (double)NAN;
  return f->time == time;
}

// --- Particles --------------------------------------------------------------------------------------------

// (1 - r^2/R^2)^3
static double weight_at(const double d[3], double reach) {
  double q = 1.0 - dot3(d, d) / (reach * reach);
  return q > 0.0 ? q * q * q : 0.0;
}

static size_t find_wide(const mote_track_flow *f, const double x[3], uint32_t *near) {
  size_t count = mote_grid_query(f->wide, x, FIT_REACH * f->spacing, near, NEAR_MOST);
  return count < NEAR_MOST ? count : NEAR_MOST;
}

// Gradient of the linear fit to the velocities of the neighbours of particle i: sums relative to i, then
// relative to the mean.
static void fit_gradient(const mote_track_flow *f, size_t i) {
  const double *position = f->now, *of = f->now + 3 * f->count, *x = position + 3 * i;
  double sum = 0.0, place[3] = {0.0}, speed[3] = {0.0}, C[9] = {0.0}, B[9] = {0.0}, inverse[9];
  double *gradient = f->now + 6 * f->count + 9 * i, reach = FIT_REACH * f->spacing;
  uint32_t near[NEAR_MOST];
  size_t count = find_wide(f, x, near);
  for (size_t n = 0; n < count; ++n) {
    double d[3], v[3];
    sub3(position + 3 * (size_t)near[n], x, d);
    sub3(of + 3 * (size_t)near[n], of + 3 * i, v);
    double w = weight_at(d, reach);
    sum += w;
    step3(place, w, d, place), step3(speed, w, v, speed);
    for (int a = 0; a < 9; ++a) C[a] += w * d[a / 3] * d[a % 3], B[a] += w * v[a / 3] * d[a % 3];
  }
  for (int a = 0; a < 9; ++a) {
    C[a] -= place[a / 3] * place[a % 3] / sum, B[a] -= speed[a / 3] * place[a % 3] / sum;
    gradient[a] = 0.0;
  }
  if (mote_dense_pseudo_inverse(3, C, FILM_MOMENT_RATIO, inverse, NULL) < 1) return;
  for (int a = 0; a < 9; ++a)
    for (int k = 0; k < 3; ++k) gradient[a] += B[a / 3 * 3 + k] * inverse[3 * k + a % 3];
}

static void fit_task(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  mote_track_flow *f = data;
  for (size_t i = begin; i < end; ++i) {
    if (atomic_load_explicit(&f->known[i], memory_order_relaxed) != FIT_ASKED) continue;
    fit_gradient(f, i);
    atomic_store_explicit(&f->known[i], FIT_FOUND, memory_order_relaxed);
  }
}

// --- Points -----------------------------------------------------------------------------------------------

typedef struct asking {
  mote_track_flow *flow;
  const double *x;
  mote_lists near;  // particles within the reach of means
  double *velocity;
} asking;

// Computes the gradients of the particles near the points; their order has no effect.
static void ask_task(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const asking *a = data;
  for (size_t i = begin; i < end; ++i) {
    const uint32_t *near = a->near.index + a->near.first[i];
    for (size_t n = 0; n < a->near.number[i]; ++n) {
      atomic_uchar *known = &a->flow->known[near[n]];
      unsigned char none = FIT_NONE;
      if (atomic_load_explicit(known, memory_order_relaxed) == FIT_NONE)
        atomic_compare_exchange_strong_explicit(known, &none, FIT_ASKED, memory_order_relaxed,
                                                memory_order_relaxed);
    }
  }
}

// Weighted mean of the velocities extrapolated from the particles to x. False: no particle within reach.
static bool mean_at(const mote_track_flow *f, const double x[3], const uint32_t *near, size_t count,
                    double reach, bool fitted, double velocity[3]) {
  const double *position = f->now, *of = f->now + 3 * f->count, *gradient = f->now + 6 * f->count;
  double sum = 0.0, mean[3] = {0.0};
  for (size_t n = 0; n < count; ++n) {
    double d[3], part[3];
    size_t j = near[n];
    sub3(x, position + 3 * j, d);
    double w = weight_at(d, reach);
    sum += w;
    step3(mean, w, of + 3 * j, mean);
    if (!fitted) continue;
    turn3(gradient + 9 * j, d, part);
    step3(mean, w, part, mean);
  }
  for (int k = 0; k < 3; ++k) velocity[k] = sum > 0.0 ? mean[k] / sum : 0.0;
  return sum > 0.0;
}

static void flow_task(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const asking *a = data;
  const mote_track_flow *f = a->flow;
  uint32_t far[NEAR_MOST];
  for (size_t i = begin; i < end; ++i) {
    const double *x = a->x + 3 * i;
    double *velocity = a->velocity + 3 * i;
    const uint32_t *near = a->near.index + a->near.first[i];
    if (mean_at(f, x, near, a->near.number[i], MEAN_REACH * f->spacing, f->kind == MOTE_TRACK_FITTED,
                velocity))
      continue;
    mean_at(f, x, far, find_wide(f, x, far), FIT_REACH * f->spacing, false, velocity);
  }
}

void mote_track_flow_velocity(void *user, double time, const double *x, size_t count, double *velocity) {
  asking a = {.flow = user, .x = x, .velocity = velocity};
  mote_track_flow *f = a.flow;
  if (!move_to(f, time) ||
      mote_grid_neighbours_at(f->grid, x, count, NULL, MOTE_REACH_GATHER, &a.near, NULL) != MOTE_OK) {
    for (size_t i = 0; i < 3 * count; ++i) velocity[i] = (double)NAN;
    return;
  }
  if (f->kind == MOTE_TRACK_FITTED) {
    mote_parallel_for(f->env.threads, count, POINTS_PER_TASK, ask_task, &a);
    mote_parallel_for(f->env.threads, f->count, POINTS_PER_TASK, fit_task, f);
  }
  mote_parallel_for(f->env.threads, count, POINTS_PER_TASK, flow_task, &a);
}
