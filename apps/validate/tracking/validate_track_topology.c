// Validation of changes of topology: particles moved by formulas, their surface tracked; parts and Euler
// numbers against those of the implicit surface, frame by frame. docs/theory/tracking.md
#include <math.h>
#include <mote/mote.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validate/surfaces/particle_sets.h"
#include "validate/surfaces/surface_trial.h"
#include "validate/tracking/track_trial.h"

#define BUBBLE_HEIGHT 2.5  // spacings above the middle of a ball of 9

// Where a particle of the set is at a time from 0 to 1, spacings.
typedef void path_fn(const double rest[3], double time, double out[3]);

typedef struct event_trial {
  const char *name;
  mote_shape_def part[3];
  int parts;
  path_fn *path;
  int frames;
  bool quick;
  mote_shape_kind made;  // of the parts
} event_trial;

// --- Paths ------------------------------------------------------------------------------------------------

static void approach(const double x[3], double t, double out[3]) {
  memcpy(out, x, 3 * sizeof *x);
  out[0] += (x[0] > 0.0 ? -1.0 : 1.0) * 4.0 * t;
}

static void part(const double x[3], double t, double out[3]) {
  memcpy(out, x, 3 * sizeof *x);
  out[0] += (x[0] > 0.0 ? 1.0 : -1.0) * 5.0 * t;
}

// The neck is drawn out: its particles thin out and it breaks.
static void draw_out(const double x[3], double t, double out[3]) {
  double s = 1.0 + 1.5 * t, neck = 3.0;
  memcpy(out, x, 3 * sizeof *x);
  out[0] = fabs(x[0]) < neck ? x[0] * s : x[0] + (x[0] > 0.0 ? neck : -neck) * (s - 1.0);
  if (fabs(x[0]) < neck) out[1] /= sqrt(s), out[2] /= sqrt(s);
}

// A ring whose hole closes.
static void close_ring(const double x[3], double t, double out[3]) {
  double r = sqrt(x[0] * x[0] + x[1] * x[1]), shrunk = r - 8.0 * t;
  double s = fmax(shrunk, 0.05 * r) / r;
  out[0] = x[0] * s, out[1] = x[1] * s, out[2] = x[2];
}

// A thin slab bulges until a hole opens in its middle.
static void tear(const double x[3], double t, double out[3]) {
  double r = sqrt(x[0] * x[0] + x[1] * x[1]) + 1e-9, pushed = sqrt(r * r + 36.0 * t * t * exp(-r * r / 60.0));
  out[0] = x[0] * pushed / r, out[1] = x[1] * pushed / r, out[2] = x[2];
}

// Two balls run through each other as if the other were not there.
static void pass(const double x[3], double t, double out[3]) {
  memcpy(out, x, 3 * sizeof *x);
  out[0] += (x[0] > 0.0 ? -1.0 : 1.0) * 17.0 * t;
}

// The roof of a bubble opens.
static void burst(const double x[3], double t, double out[3]) {
  double d[3] = {x[0], x[1], x[2] - BUBBLE_HEIGHT}, far2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  memcpy(out, x, 3 * sizeof *x);
  if (d[2] <= 0.0) return;
  double wide = sqrt(d[0] * d[0] + d[1] * d[1]) + 1e-9;
  double pushed = sqrt(wide * wide + 20.0 * t * t * exp(-wide * wide / 12.0));
  pushed = fmin(pushed, 0.98 * sqrt(far2));
  if (pushed < wide) return;
  out[0] = x[0] * pushed / wide, out[1] = x[1] * pushed / wide;
  out[2] = BUBBLE_HEIGHT + sqrt(far2 - pushed * pushed);
}

static mote_shape_def torus(double ring, double tube) {
  mote_shape_def def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_TORUS, def.radius = ring, def.thickness = tube;
  def.normal[0] = def.normal[1] = 0.0, def.normal[2] = 1.0;
  for (int k = 0; k < 3; ++k) def.centre[k] = 0.0;
  return def;
}

// --- One trial --------------------------------------------------------------------------------------------

typedef struct event_found {
  size_t events, rebuilt, crossings, defects;
  size_t unequal, longest;  // frames with other parts or Euler number: until now, and at most, in a row
  double anew;              // the most of the triangles made in one frame
  size_t parts_first, parts_last;
  int64_t euler_first, euler_last;
} event_found;

typedef struct event_run {
  validation *v;
  const event_trial *trial;
  particle_set set;
  double *memory;  // positions and velocities at two times
  mote_surfacer *surfacer;
  mote_track_flow *flow;
  mote_tracked *t;
} event_run;

static void place(const event_run *r, double time, double *position, double *velocity) {
  const double h = 1e-4;
  for (size_t i = 0; i < r->set.count; ++i) {
    double before[3], after[3];
    r->trial->path(r->set.position + 3 * i, time, position + 3 * i);
    r->trial->path(r->set.position + 3 * i, time - h, before),
        r->trial->path(r->set.position + 3 * i, time + h, after);
    for (size_t k = 0; k < 3; ++k) velocity[3 * i + k] = (after[k] - before[k]) / (2.0 * h);
  }
}

static bool compare_surfaces(event_run *r, const mote_surface *fresh, event_found *f, bool first,
                             mote_error *error) {
  const mote_env *env = validation_env(r->v);
  mote_surface s;
  mote_mesh_report own, wanted;
  if (mote_tracked_surface(r->t, &s, error) != MOTE_OK) return false;
  bool done = mote_mesh_examine(&s.mesh, env, &own, error) == MOTE_OK &&
              mote_mesh_examine(&fresh->mesh, env, &wanted, error) == MOTE_OK;
  mote_surface_free(&s, env);
  if (!done) return false;
  f->unequal = own.parts != wanted.parts || own.euler != wanted.euler ? f->unequal + 1 : 0;
  f->longest = f->unequal > f->longest ? f->unequal : f->longest;
  f->crossings += own.crossings > 0;
  f->defects +=
      own.open_edges + own.crowded_edges + own.flipped_edges + own.pinched_vertices + own.flat_triangles;
  if (first) f->parts_first = own.parts, f->euler_first = own.euler;
  f->parts_last = own.parts, f->euler_last = own.euler;
  return true;
}

static bool run_frame(event_run *r, int k, event_found *f, mote_error *error) {
  size_t n = 3 * r->set.count, crossings;
  double t0 = (double)(k - 1) / r->trial->frames, t1 = (double)k / r->trial->frames;
  double *x0 = r->memory, *v0 = x0 + n, *x1 = x0 + 2 * n, *v1 = x0 + 3 * n;
  const mote_track_projection how = mote_track_projection_default();
  place(r, t0, x0, v0), place(r, t1, x1, v1);
  mote_track_moment from = {t0, x0, v0, r->set.count}, to = {t1, x1, v1, r->set.count};
  mote_surface_particles p = {.position = x1, .count = r->set.count};
  mote_surface fresh = {0};
  mote_track_match match = {0};
  uint64_t since = mote_tracked_ids(r->t);
  bool done = mote_surfacer_build(r->surfacer, &p, &fresh, error) == MOTE_OK &&
              mote_track_flow_set(r->flow, &from, &to, error) == MOTE_OK &&
              mote_tracked_move(r->t, 2, mote_track_flow_velocity, r->flow, t0, t1 - t0, error) == MOTE_OK &&
              mote_tracked_improve(r->t, NULL, error) == MOTE_OK &&
              mote_tracked_project(r->t, r->surfacer, &p, &how, NULL, error) == MOTE_OK &&
              mote_tracked_match(r->t, &fresh, 1.0, &match, error) == MOTE_OK &&
              mote_tracked_blend(r->t, r->surfacer, &p, &how, since, error) == MOTE_OK &&
              mote_tracked_untangle(r->t, &crossings, error) == MOTE_OK &&
              compare_surfaces(r, &fresh, f, k == 1, error);
  f->events += match.changed > 0, f->rebuilt += match.rebuilt;
  f->anew = fmax(f->anew, (double)match.made / (double)(mote_tracked_triangles(r->t) + 1));
  mote_surface_free(&fresh, validation_env(r->v));
  return done;
}

static bool begin_run(event_run *r, mote_error *error) {
  const mote_env *env = validation_env(r->v);
  mote_surface_def def = trial_def(MOTE_SURFACE_ANISOTROPIC, 1.0, 0.5);
  mote_shape_def all = mote_shape_def_default();
  all.kind = r->trial->made, all.part = r->trial->part, all.parts = (size_t)r->trial->parts;
  mote_shape *shape = trial_shape(r->v, &all);
  if (shape == NULL) return false;
  r->set = particle_set_fill(shape, 1.0, 5);
  mote_shape_destroy(shape);
  r->memory = malloc(12 * r->set.count * sizeof *r->memory);
  mote_surface surface;
  if (r->memory == NULL || !trial_build_set(r->v, &def, &r->set, &surface)) return false;
  mote_track_def how = mote_track_def_default();
  how.edge = 0.5;
  bool done = mote_surfacer_create(&def, env, &r->surfacer, error) == MOTE_OK &&
              mote_track_flow_create(1.0, MOTE_TRACK_FITTED, env, &r->flow, error) == MOTE_OK &&
              mote_tracked_create(&how, &surface, env, &r->t, error) == MOTE_OK;
  mote_surface_free(&surface, env);
  return done;
}

static void report_events(validation *v, const char *of, const event_found *f) {
  char name[80];
  const struct {
    const char *what;
    measure_kind kind;
    double value, tolerance;
  } row[] = {{"frames in a row with other parts or Euler number", MEASURE_NEAR, (double)f->longest, 3.0},
             {"the same at the end", MEASURE_NEAR, (double)f->unequal, 0.0},
             {"faults of the mesh", MEASURE_NEAR, (double)f->defects, 0.0},
             {"frames with crossings", MEASURE_NEAR, (double)f->crossings, 0.0},
             {"groups rebuilt as a whole", MEASURE_NEAR, (double)f->rebuilt, 0.0},
             {"frames with events", MEASURE_SHOWN, (double)f->events, 0.0},
             {"most triangles made in a frame, of all", MEASURE_SHOWN, f->anew, 0.0},
             {"parts at the end less those at the start", MEASURE_SHOWN,
              (double)f->parts_last - (double)f->parts_first, 0.0},
             {"Euler number, the same", MEASURE_SHOWN, (double)(f->euler_last - f->euler_first), 0.0}};
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    snprintf(name, sizeof name, "%s: %s", of, row[k].what);
    validation_report(v,
                      &(measure){name, row[k].kind, row[k].value, 0.0, row[k].tolerance, "implicit surface"});
  }
}

static void run_trial(validation *v, const event_trial *trial) {
  event_run r = {.v = v, .trial = trial};
  event_found f = {0};
  mote_error error = {0};
  bool done = begin_run(&r, &error);
  for (int frame = 1; frame <= trial->frames && done; ++frame) done = run_frame(&r, frame, &f, &error);
  if (done)
    report_events(v, trial->name, &f);
  else
    validation_error(v, &error);
  mote_tracked_destroy(r.t);
  mote_track_flow_destroy(r.flow);
  mote_surfacer_destroy(r.surfacer);
  particle_set_free(&r.set);
  free(r.memory);
}

void validate_track_topology(validation *v) {
  const event_trial trials[] = {
      {"balls meet",
       {mote_shape_def_sphere(-8, 0, 0, 6), mote_shape_def_sphere(8, 0, 0, 6)},
       2,
       approach,
       24,
       true,
       MOTE_SHAPE_UNION},
      {"balls part",
       {mote_shape_def_sphere(-4.5, 0, 0, 6), mote_shape_def_sphere(4.5, 0, 0, 6)},
       2,
       part,
       24,
       false,
       MOTE_SHAPE_UNION},
      {"dumbbell splits",
       {mote_shape_def_sphere(-8, 0, 0, 6), mote_shape_def_sphere(8, 0, 0, 6),
        mote_shape_def_box(-8, -2, -2, 8, 2, 2)},
       3,
       draw_out,
       24,
       false,
       MOTE_SHAPE_UNION},
      {"ring closes", {torus(10, 3)}, 1, close_ring, 24, false, MOTE_SHAPE_UNION},
      {"sheet tears",
       {mote_shape_def_box(-15, -15, -1.5, 15, 15, 1.5)},
       1,
       tear,
       24,
       false,
       MOTE_SHAPE_UNION},
      {"balls pass through",
       {mote_shape_def_sphere(-8.5, 0, 0, 6), mote_shape_def_sphere(8.5, 0, 0, 6)},
       2,
       pass,
       48,
       false,
       MOTE_SHAPE_UNION},
      {"bubble bursts",
       {mote_shape_def_sphere(0, 0, 0, 9), mote_shape_def_sphere(0, 0, BUBBLE_HEIGHT, 4)},
       2,
       burst,
       24,
       false,
       MOTE_SHAPE_DIFFERENCE}};
  for (size_t k = 0; k < sizeof trials / sizeof *trials; ++k) {
    if (!validation_quick(v) || trials[k].quick) run_trial(v, &trials[k]);
  }
}
