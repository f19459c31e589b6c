// The flow that particles make (YU11 5.1, task 1). The mean velocity of the particles near a point is that of
// their centre, which lies inside; a linear fit over a wider neighbourhood moves it to the point.
// docs/theory/tracking.md
#include "track/particle_flow.h"

#include <math.h>
#include <mote/numeric.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "geom/triple.h"
#include "track/tracked_mesh.h"

#define MEAN_REACH 2.0  // spacings
#define FIT_REACH 4.0   // spacings
#define NEAR_MOST 2048  // particles of one fit: 270 at the density of rest
#define FLAT 0.02       // a sheet: its second moment across is below this part of that along it
#define GRAIN 64

struct mote_track_flow {
  mote_env env;
  double spacing;
  mote_track_velocity kind;
  size_t count;
  double from, to;  // s
  double *path;     // 12 each: position and velocity at both times
  double *now;      // 6 each: position and velocity at `time`
  size_t path_capacity, now_capacity;
  double time;  // of the grid; NaN: none
  mote_grid *grid;
};

mote_result mote_track_flow_create(double spacing, mote_track_velocity velocity, const mote_env *env,
                                   mote_track_flow **out, mote_error *error) {
  if (out == NULL) return mote_fail(error, MOTE_ERROR_ARGUMENT, "out must not be NULL");
  if (!(spacing > 0.0 && isfinite(spacing)))
    return mote_fail_key(error, "spacing", "a length above 0 is needed");
  if ((unsigned)velocity > MOTE_TRACK_MEAN) return mote_fail_key(error, "velocity", "no such kind");
  mote_env resolved = mote_env_resolve(env);
  mote_grid_def def = mote_grid_def_default(FIT_REACH * spacing);
  def.cell_size = MEAN_REACH * spacing;
  mote_track_flow *f = mote_alloc(&resolved, 1, sizeof *f);
  if (f == NULL) return mote_fail_memory(error, sizeof *f);
  *f = (mote_track_flow){.env = resolved, .spacing = spacing, .kind = velocity, .time = (double)NAN};
  mote_result result = mote_grid_create(&def, &resolved, &f->grid, error);
  if (result) {
    mote_free(&resolved, f, 1, sizeof *f);
    return result;
  }
  *out = f;
  return MOTE_OK;
}

void mote_track_flow_destroy(mote_track_flow *f) {
  if (f == NULL) return;
  mote_env env = f->env;
  mote_grid_destroy(f->grid);
  if (f->path != NULL) mote_free(&env, f->path, f->path_capacity, 12 * sizeof *f->path);
  if (f->now != NULL) mote_free(&env, f->now, f->now_capacity, 6 * sizeof *f->now);
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
  MOTE_TRY(mote_reserve(&f->env, &f->now, &f->now_capacity, from->count, 6 * sizeof *f->now, error));
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

// Hermite's cubic, and its derivative.
static bool move_to(mote_track_flow *f, double time) {
  if (time == f->time) return true;
  double length = f->to - f->from, s = (time - f->from) / length, *x = f->now;
  double h00 = (1.0 + 2.0 * s) * (1.0 - s) * (1.0 - s), h10 = s * (1.0 - s) * (1.0 - s);
  double h01 = s * s * (3.0 - 2.0 * s), h11 = s * s * (s - 1.0);
  double d00 = 6.0 * s * (s - 1.0), d10 = (1.0 - s) * (1.0 - 3.0 * s), d11 = s * (3.0 * s - 2.0);
  double *velocity = f->now + 3 * f->count;
  for (size_t i = 0; i < f->count; ++i) {
    const double *p = f->path + 12 * i;
    for (size_t k = 0; k < 3; ++k) {
      x[3 * i + k] = h00 * p[k] + h10 * length * p[3 + k] + h01 * p[6 + k] + h11 * length * p[9 + k];
      velocity[3 * i + k] = d00 * (p[k] - p[6 + k]) / length + d10 * p[3 + k] + d11 * p[9 + k];
    }
  }
  f->time = mote_grid_build(f->grid, x, f->count, NULL) == MOTE_OK ? time : (double)NAN;
  return f->time == time;
}

// --- One point --------------------------------------------------------------------------------------------

// Weighted sums about a point: of weights, places and velocities.
typedef struct sums {
  double weight, place[3], velocity[3];
} sums;

static void add_to(sums *s, double w, const double place[3], const double velocity[3]) {
  s->weight += w;
  step3(s->place, w, place, s->place);
  step3(s->velocity, w, velocity, s->velocity);
}

static void finish(sums *s) {
  if (!(s->weight > 0.0)) return;
  for (int k = 0; k < 3; ++k) s->place[k] /= s->weight, s->velocity[k] /= s->weight;
}

// (1 - r^2/R^2)^3
static double weight_at(double r2, double reach2) {
  double q = 1.0 - r2 / reach2;
  return q > 0.0 ? q * q * q : 0.0;
}

// Sums over the particles within reach, in a list, about x.
static sums sums_about(const mote_track_flow *f, const double x[3], const uint32_t *near, size_t count,
                       double reach) {
  const double *position = f->now, *of = f->now + 3 * f->count;
  sums s = {0};
  for (size_t n = 0; n < count; ++n) {
    double d[3];
    sub3(position + 3 * (size_t)near[n], x, d);
    add_to(&s, weight_at(dot3(d, d), reach * reach), d, of + 3 * (size_t)near[n]);
  }
  finish(&s);
  return s;
}

static size_t find_near(const mote_track_flow *f, const double x[3], double reach, uint32_t *near) {
  size_t count = mote_grid_query(f->grid, x, reach, near, NEAR_MOST);
  return count < NEAR_MOST ? count : NEAR_MOST;
}

// Of the linear fit to the particles of `wide`.
static void gradient_of(const mote_track_flow *f, const double x[3], const uint32_t *near, size_t count,
                        const sums *wide, double gradient[9]) {
  const double *position = f->now, *of = f->now + 3 * f->count;
  double C[9] = {0.0}, B[9] = {0.0}, inverse[9], reach2 = FIT_REACH * f->spacing * FIT_REACH * f->spacing;
  for (int a = 0; a < 9; ++a) gradient[a] = 0.0;
  for (size_t n = 0; n < count; ++n) {
    double d[3], u[3], v[3];
    sub3(position + 3 * (size_t)near[n], x, d);
    double w = weight_at(dot3(d, d), reach2);
    sub3(d, wide->place, u), sub3(of + 3 * (size_t)near[n], wide->velocity, v);
    for (int a = 0; a < 9; ++a) C[a] += w * u[a / 3] * u[a % 3], B[a] += w * v[a / 3] * u[a % 3];
  }
  if (mote_dense_pseudo_inverse(3, C, FLAT, inverse, NULL) < 1) return;
  for (int a = 0; a < 9; ++a)
    for (int k = 0; k < 3; ++k) gradient[a] += B[a / 3 * 3 + k] * inverse[3 * k + a % 3];
}

// The mean velocity, moved from the mean place to x.
static void move_mean(const sums *mean, const double gradient[9], double velocity[3]) {
  double shift[3] = {-mean->place[0], -mean->place[1], -mean->place[2]}, part[3];
  turn3(gradient, shift, part);
  step3(mean->velocity, 1.0, part, velocity);
}

// gradient_out may be null.
static void flow_at(const mote_track_flow *f, const double x[3], double velocity[3], double *gradient_out) {
  uint32_t near[NEAR_MOST];
  double gradient[9] = {0.0}, fit = FIT_REACH * f->spacing;
  size_t count = find_near(f, x, fit, near);
  sums mean = sums_about(f, x, near, count, MEAN_REACH * f->spacing),
       wide = sums_about(f, x, near, count, fit);
  set3(0.0, 0.0, 0.0, velocity);
  if (wide.weight > 0.0) {
    if (!(mean.weight > 0.0)) mean = wide;  // far from all: what is nearest of it
    if (f->kind == MOTE_TRACK_FITTED) gradient_of(f, x, near, count, &wide, gradient);
    move_mean(&mean, gradient, velocity);
  }
  for (int a = 0; a < 9 && gradient_out != NULL; ++a) gradient_out[a] = gradient[a];
}

static void flow_by(const mote_track_flow *f, const double x[3], const double gradient[9],
                    double velocity[3]) {
  uint32_t near[NEAR_MOST];
  size_t count = find_near(f, x, MEAN_REACH * f->spacing, near);
  sums mean = sums_about(f, x, near, count, MEAN_REACH * f->spacing);
  if (mean.weight > 0.0)
    move_mean(&mean, gradient, velocity);
  else
    flow_at(f, x, velocity, NULL);
}

typedef struct asking {
  const mote_track_flow *flow;
  const double *x, *known;  // gradients; null: to be found
  double *velocity, *gradient;
} asking;

static void flow_task(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const asking *a = data;
  double unused[3];
  for (size_t i = begin; i < end; ++i) {
    double *velocity = a->velocity != NULL ? a->velocity + 3 * i : unused;
    if (a->known != NULL)
      flow_by(a->flow, a->x + 3 * i, a->known + 9 * i, velocity);
    else
      flow_at(a->flow, a->x + 3 * i, velocity, a->gradient != NULL ? a->gradient + 9 * i : NULL);
  }
}

void mote_track_flow_velocity_by(mote_track_flow *f, double time, const double *x, const double *gradient,
                                 size_t count, double *velocity) {
  if (!move_to(f, time)) {
    for (size_t i = 0; i < 3 * count; ++i) velocity[i] = (double)NAN;
    return;
  }
  asking a = {.flow = f, .x = x, .known = gradient, .velocity = velocity};
  mote_parallel_for(f->env.threads, count, GRAIN, flow_task, &a);
}

void mote_track_flow_velocity(void *user, double time, const double *x, size_t count, double *velocity) {
  mote_track_flow_velocity_by(user, time, x, NULL, count, velocity);
}

bool mote_track_flow_gradients(mote_track_flow *f, double time, const double *x, size_t count,
                               double *gradient) {
  if (!move_to(f, time)) return false;
  asking a = {.flow = f, .x = x, .gradient = gradient};
  mote_parallel_for(f->env.threads, count, GRAIN, flow_task, &a);
  return true;
}
