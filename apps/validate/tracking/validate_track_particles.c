// Validation of surfaces that follow particles: a ball that turns, and the noise of mean curvature on
// particles at rest and in motion. docs/theory/tracking.md
#include <math.h>
#include <mote/mote.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validate/surfaces/mesh_measure.h"
#include "validate/surfaces/particle_sets.h"
#include "validate/surfaces/surface_trial.h"
#include "validate/tracking/track_trial.h"

#define PI 3.14159265358979323846
#define SWING_STEPS 60     // of a swing
#define PROJECT_EVERY 10   // steps
#define SWING_STRETCH 0.1  // of the swing

static const double centre[3] = {0.11, -0.23, 0.31};  // spacings, and m

// --- A ball that turns ------------------------------------------------------------------------------------

#define TURN_STEPS 32

static void turned(const particle_set *set, double angle, double *position, double *velocity) {
  double c = cos(angle), s = sin(angle);
  for (size_t i = 0; i < set->count; ++i) {
    const double *x = set->position + 3 * i;
    double *p = position + 3 * i, *v = velocity + 3 * i;
    p[0] = c * x[0] - s * x[1], p[1] = s * x[0] + c * x[1], p[2] = x[2];
    v[0] = -2.0 * PI * p[1], v[1] = 2.0 * PI * p[0], v[2] = 0.0;
  }
}

// By how much of a turn the mesh is behind, and how far vertices are from where they began, over the radius.
static bool turn_ball(const particle_set *set, const mote_mesh *mesh, double radius, mote_track_velocity kind,
                      const mote_env *env, double *lag, double *rms, mote_error *error) {
  size_t n = 3 * set->count;
  double *memory = malloc(4 * n * sizeof *memory);
  mote_track_flow *flow = NULL;
  mote_tracked *t = NULL;
  mote_surface surface = {.mesh = *mesh}, after = {0};
  mote_track_def def = mote_track_def_default();
  def.edge = 0.5;
  bool done = memory != NULL && mote_track_flow_create(1.0, kind, env, &flow, error) == MOTE_OK &&
              mote_tracked_create(&def, &surface, env, &t, error) == MOTE_OK;
  for (int k = 0; k < TURN_STEPS && done; ++k) {
    double t0 = (double)k / TURN_STEPS, t1 = (double)(k + 1) / TURN_STEPS;
    turned(set, 2.0 * PI * t0, memory, memory + n),
        turned(set, 2.0 * PI * t1, memory + 2 * n, memory + 3 * n);
    mote_track_moment from = {t0, memory, memory + n, set->count},
                      to = {t1, memory + 2 * n, memory + 3 * n, set->count};
    done = mote_track_flow_set(flow, &from, &to, error) == MOTE_OK &&
           mote_tracked_move(t, 4, mote_track_flow_velocity, flow, t0, t1 - t0, error) == MOTE_OK;
  }
  done = done && mote_tracked_surface(t, &after, error) == MOTE_OK;
  double cross = 0.0, dot = 0.0, sum = 0.0;
  for (size_t i = 0; i < mesh->vertices && done; ++i) {
    const double *x = mesh->vertex + 3 * i, *y = after.mesh.vertex + 3 * i;
    cross += y[0] * x[1] - y[1] * x[0], dot += x[0] * y[0] + x[1] * y[1];
    for (int k = 0; k < 3; ++k) sum += (y[k] - x[k]) * (y[k] - x[k]);
  }
  *lag = atan2(cross, dot) / (2.0 * PI), *rms = sqrt(sum / (double)mesh->vertices) / radius;
  mote_surface_free(&after, env);
  mote_tracked_destroy(t);
  mote_track_flow_destroy(flow);
  free(memory);
  return done;
}

static bool make_ball(validation *v, double radius, mote_fill_kind kind, particle_set *set) {
  mote_shape_def def = mote_shape_def_sphere(centre[0], centre[1], centre[2], radius);
  mote_shape *shape = trial_shape(v, &def);
  mote_error error = {0};
  *set = (particle_set){0};
  if (shape == NULL) return false;
  if (kind == MOTE_FILL_CUBIC) {
    *set = particle_set_fill(shape, 1.0, 5);
  } else {
    mote_samples samples = {0};
    if (mote_shape_fill(shape, 1.0, kind, 5, 1000000, validation_env(v), &samples, &error) != MOTE_OK)
      validation_error(v, &error);
    set->position = malloc(3 * (samples.count + 1) * sizeof *set->position);
    set->count = set->position != NULL ? samples.count : 0, set->spacing = 1.0;
    if (set->count > 0) memcpy(set->position, samples.position, 3 * samples.count * sizeof *set->position);
    mote_samples_free(&samples, validation_env(v));
  }
  mote_shape_destroy(shape);
  return set->count > 0;
}

void validate_track_turn(validation *v) {
  static const char *const names[2] = {"fitted", "mean (YU11 5.2)"};
  double radius = validation_quick(v) ? 5.0 : 16.0;
  particle_set set;
  mote_surface surface;
  mote_error error = {0};
  mote_surface_def def = trial_def(MOTE_SURFACE_ANISOTROPIC, 1.0, 0.5);
  if (!make_ball(v, radius, MOTE_FILL_CUBIC, &set) || !trial_build_set(v, &def, &set, &surface)) return;
  for (int k = 0; k < 2; ++k) {
    char name[80];
    double lag, rms;
    if (!turn_ball(&set, &surface.mesh, radius, (mote_track_velocity)k, validation_env(v), &lag, &rms,
                   &error)) {
      validation_error(v, &error);
      break;
    }
    snprintf(name, sizeof name, "ball of %g d, one turn, %s: lag", radius, names[k]);
    validation_report(v, &(measure){name, k == 0 ? MEASURE_NEAR : MEASURE_SHOWN, lag, 0.0, 1e-4, "exact"});
    snprintf(name, sizeof name, "ball of %g d, one turn, %s: RMS, of R", radius, names[k]);
    validation_report(v, &(measure){name, k == 0 ? MEASURE_NEAR : MEASURE_SHOWN, rms, 0.0, 1e-3, "exact"});
  }
  mote_surface_free(&surface, validation_env(v));
  particle_set_free(&set);
}

// --- Noise ------------------------------------------------------------------------------------------------

typedef struct trial {
  validation *v;
  const char *name;
  double radius;
  mote_fill_kind fill;
  bool swings;
  mote_track_projection how;
  double limit;  // of noise over signal; 0: shown
} trial;

typedef struct noise_found {
  double noise, distance, volume;  // distance in spacings
  size_t failed;
} noise_found;

// Everything moves by x -> x sqrt(1/c), z -> z c about the ball's centre.
static double stretch_at(double time) {
  return 1.0 + SWING_STRETCH * sin(2.0 * PI * time);
}

static void stretched(const particle_set *set, double time, double *position, double *velocity) {
  double c = stretch_at(time), rate = SWING_STRETCH * 2.0 * PI * cos(2.0 * PI * time), a = 1.0 / sqrt(c);
  for (size_t i = 0; i < 3 * set->count; ++i) {
    size_t k = i % 3;
    double x = set->position[i] - centre[k];
    position[i] = centre[k] + x * (k == 2 ? c : a);
    velocity[i] = x * (k == 2 ? rate : -0.5 * a * rate / c);
  }
}

// The mean curvature of the ellipsoid of that stretch, along the ray through x.
static double exact_curvature(const double x[3], double radius, double c) {
  double axis[3] = {radius / sqrt(c), radius / sqrt(c), radius * c}, y[3], level = 0.0, slope = 0.0,
         size = 0.0, sum = 0.0;
  for (int k = 0; k < 3; ++k) y[k] = x[k] - centre[k], level += y[k] * y[k] / (axis[k] * axis[k]);
  for (int k = 0; k < 3; ++k) {
    y[k] /= sqrt(level);
    slope += y[k] * y[k] / (axis[k] * axis[k] * axis[k] * axis[k]), size += y[k] * y[k],
        sum += axis[k] * axis[k];
  }
  double product = axis[0] * axis[1] * axis[2];
  return (sum - size) / (2.0 * product * product * pow(slope, 1.5));
}

// The particles' surface by marching cubes for its volume, the mesh's curvature over 2 d.
static bool measure_noise(const trial *r, mote_tracked *t, mote_surfacer *surfacer,
                          const mote_surface_particles *p, double time, noise_found *f, mote_error *error) {
  static const mote_track_projection projection = {0.0, 0.0, 0.0};
  const mote_env *env = validation_env(r->v);
  mote_track_projected found;
  mote_surface s = {0}, fresh = {0};
  bool done = mote_tracked_project(t, surfacer, p, &projection, &found, error) == MOTE_OK &&
              mote_surfacer_build(surfacer, p, &fresh, error) == MOTE_OK &&
              mote_tracked_surface(t, &s, error) == MOTE_OK;
  double *value = malloc((s.mesh.vertices + 1) * sizeof *value);
  done = done && value != NULL && mote_tracked_curvature(t, value, error) == MOTE_OK;
  if (done) {
    for (size_t i = 0; i < s.mesh.vertices; ++i)
      value[i] /= exact_curvature(s.mesh.vertex + 3 * i, r->radius, r->swings ? stretch_at(time) : 1.0);
    double *mean = mesh_kernel_mean(&s.mesh, value, 2.0);
    f->noise = fmax(f->noise, mesh_relative_rms(&s.mesh, mean, 1.0));
    f->distance = fmax(f->distance, found.rms), f->failed += found.failed;
    f->volume = fmax(f->volume, fabs(mote_tracked_volume(t) / mote_mesh_volume(&fresh.mesh) - 1.0));
    free(mean);
  }
  free(value);
  mote_surface_free(&s, env), mote_surface_free(&fresh, env);
  return done;
}

static bool follow(const trial *r, const particle_set *set, mote_tracked *t, mote_surfacer *surfacer,
                   mote_track_flow *flow, double *memory, noise_found *f, mote_error *error) {
  size_t n = 3 * set->count;
  bool done = true;
  mote_surface_particles p = {.position = memory + 2 * n, .count = set->count};
  for (int k = 0; k < SWING_STEPS && done; ++k) {
    double t0 = (double)k / SWING_STEPS, t1 = (double)(k + 1) / SWING_STEPS;
    stretched(set, r->swings ? t1 : 0.0, memory + 2 * n, memory + 3 * n);
    if (r->swings) {
      stretched(set, t0, memory, memory + n);
      mote_track_moment from = {t0, memory, memory + n, set->count},
                        to = {t1, memory + 2 * n, memory + 3 * n, set->count};
      done = mote_track_flow_set(flow, &from, &to, error) == MOTE_OK &&
             mote_tracked_move(t, 2, mote_track_flow_velocity, flow, t0, t1 - t0, error) == MOTE_OK;
    }
    bool project = (k + 1) % PROJECT_EVERY == 0;
    if (done && project) done = mote_tracked_project(t, surfacer, &p, &r->how, NULL, error) == MOTE_OK;
    if (done && (r->swings || project)) done = mote_tracked_improve(t, NULL, error) == MOTE_OK;
    // Before the first projections the mesh is that of marching cubes.
    bool asked = r->swings ? k >= SWING_STEPS / 2 && (k + 1) % (validation_quick(r->v) ? 15 : 5) == 0
                           : k == SWING_STEPS - 1;
    if (done && asked) done = measure_noise(r, t, surfacer, &p, t1, f, error);
  }
  return done;
}

static void report_noise(const trial *r, const noise_found *f) {
  char name[96];
  measure_kind kind = r->limit > 0.0 ? MEASURE_NEAR : MEASURE_SHOWN;
  snprintf(name, sizeof name, "%s: noise of H over 2 d", r->name);
  validation_report(r->v, &(measure){name, kind, f->noise, 0.0, r->limit, "goal"});
  snprintf(name, sizeof name, "%s: RMS distance to phi, d", r->name);
  validation_report(r->v, &(measure){name, kind, f->distance, 0.0, 0.04, "goal"});
  snprintf(name, sizeof name, "%s: volume over that of phi", r->name);
  validation_report(r->v,
                    &(measure){name, kind, f->volume, 0.0, validation_quick(r->v) ? 0.003 : 0.001, "goal"});
}

static void run_trial(const trial *r) {
  const mote_env *env = validation_env(r->v);
  particle_set set;
  mote_surface surface = {0};
  mote_surfacer *surfacer = NULL;
  mote_tracked *t = NULL;
  mote_track_flow *flow = NULL;
  mote_error error = {0};
  noise_found found = {0};
  mote_surface_def def = trial_def(MOTE_SURFACE_ANISOTROPIC, 1.0, 0.5);
  mote_track_def how = mote_track_def_default();
  how.edge = 0.5;
  if (!make_ball(r->v, r->radius, r->fill, &set) || !trial_build_set(r->v, &def, &set, &surface)) return;
  double *memory = malloc(12 * set.count * sizeof *memory);
  bool done = memory != NULL && mote_surfacer_create(&def, env, &surfacer, &error) == MOTE_OK &&
              mote_tracked_create(&how, &surface, env, &t, &error) == MOTE_OK &&
              mote_track_flow_create(1.0, MOTE_TRACK_FITTED, env, &flow, &error) == MOTE_OK &&
              follow(r, &set, t, surfacer, flow, memory, &found, &error);
  if (done) {
    report_noise(r, &found);
  } else {
    validation_error(r->v, &error);
  }
  mote_track_flow_destroy(flow);
  mote_tracked_destroy(t);
  mote_surfacer_destroy(surfacer);
  mote_surface_free(&surface, env);
  particle_set_free(&set);
  free(memory);
}

void validate_track_noise(validation *v) {
  mote_track_projection fair = mote_track_projection_default(), plain = {1.0, 0.0, 0.0};
  double radius = validation_quick(v) ? 7.0 : 25.0;
  const trial trials[] = {{v, "jittered", radius, MOTE_FILL_CUBIC, false, fair, 0.2},
                          {v, "jittered, YU11's projection", radius, MOTE_FILL_CUBIC, false, plain, 0.0},
                          {v, "settled", radius, MOTE_FILL_RELAXED, false, fair, 0.1},
                          {v, "settled, YU11's projection", radius, MOTE_FILL_RELAXED, false, plain, 0.0},
                          {v, "swinging", radius, MOTE_FILL_RELAXED, true, fair, 0.1},
                          {v, "swinging, YU11's projection", radius, MOTE_FILL_RELAXED, true, plain, 0.0}};
  for (size_t k = 0; k < sizeof trials / sizeof *trials; ++k) {
    if (!validation_quick(v) || trials[k].limit > 0.0) run_trial(&trials[k]);
  }
}
