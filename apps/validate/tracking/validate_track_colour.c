// Validation of colours on surfaces of particles (YU11 5.2, Fig. 5.4): a ball of particles, half of it
// painted, goes with Enright's flow; the colour of its surface by four methods against that carried back
// along exact paths. docs/theory/tracking.md, "Colours"
#include <math.h>
#include <mote/io.h>
#include <mote/mote.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "validate/surfaces/particle_sets.h"
#include "validate/surfaces/surface_trial.h"
#include "validate/tracking/track_trial.h"

#define END_TIME 0.75   // s: a quarter of the flow's time; the sheet is four spacings thick then
#define PATH_STEP 0.02  // s, of exact paths (Runge and Kutta)
#define MEAN_OF 160     // particles

typedef enum colour_method {
  COLOUR_MEAN,
  COLOUR_NEAREST,
  COLOUR_CARRIED,
  COLOUR_TRACKED,
  COLOUR_METHODS
} colour_method;
static const char *const method_name[COLOUR_METHODS] = {"mean of the particles near by", "nearest particle",
                                                        "nearest vertex of the frame before", "tracked mesh"};

// Vertices with their colours and areas.
typedef struct painted {
  double *x, *colour, *area;
  size_t count;
} painted;

typedef struct colour_trial {
  validation *v;
  double spacing;
  int frames;
  particle_set set;  // moves
  double *paint;     // of each particle
  double *memory;    // positions and velocities at both ends of a frame
  mote_surfacer *surfacer;
  mote_track_flow *flow;
  mote_tracked *t;
  painted last[COLOUR_METHODS];
  double error[COLOUR_METHODS], flicker[COLOUR_METHODS];
} colour_trial;

static double paint_at(const double x[3]) {
  return x[0] > enright_centre[0] ? 1.0 : 0.0;
}

// Along the exact flow from one time to another.
static void carry(double *x, size_t count, double from, double to) {
  int steps = (int)ceil(fabs(to - from) / PATH_STEP);
  double h = (to - from) / (steps > 0 ? steps : 1);
  for (size_t i = 0; i < count; ++i) {
    double *p = x + 3 * i;
    for (int n = 0; n < steps; ++n) {
      double k[4][3], at[3], t = from + n * h;
      static const double part[4] = {0.0, 0.5, 0.5, 1.0};
      for (int s = 0; s < 4; ++s) {
        for (int c = 0; c < 3; ++c) at[c] = p[c] + (s > 0 ? part[s] * h * k[s - 1][c] : 0.0);
        enright_flow(NULL, t + part[s] * h, at, 1, k[s]);
      }
      for (int c = 0; c < 3; ++c) p[c] += h / 6.0 * (k[0][c] + 2.0 * k[1][c] + 2.0 * k[2][c] + k[3][c]);
    }
  }
}

static void painted_free(painted *p) {
  free(p->x), free(p->colour), free(p->area);
  *p = (painted){0};
}

// Copies the vertices of a mesh; a third of each triangle's area to each of its corners.
static bool painted_make(const mote_mesh *mesh, painted *out) {
  *out = (painted){malloc(3 * mesh->vertices * sizeof(double)), malloc(mesh->vertices * sizeof(double)),
                   calloc(mesh->vertices, sizeof(double)), mesh->vertices};
  if (out->x == NULL || out->colour == NULL || out->area == NULL) return false;
  memcpy(out->x, mesh->vertex, 3 * mesh->vertices * sizeof(double));
  for (size_t f = 0; f < mesh->triangles; ++f) {
    const uint32_t *v = mesh->triangle + 3 * f;
    double u[3], w[3];
    for (int k = 0; k < 3; ++k) {
      u[k] = mesh->vertex[3 * (size_t)v[1] + k] - mesh->vertex[3 * (size_t)v[0] + k];
      w[k] = mesh->vertex[3 * (size_t)v[2] + k] - mesh->vertex[3 * (size_t)v[0] + k];
    }
    double x = u[1] * w[2] - u[2] * w[1], y = u[2] * w[0] - u[0] * w[2], z = u[0] * w[1] - u[1] * w[0];
    for (int k = 0; k < 3; ++k) out->area[v[k]] += sqrt(x * x + y * y + z * z) / 6.0;
  }
  return true;
}

// Colours of points from those of others: the nearest one's, or a mean of the near ones'.
static bool find_colours(colour_trial *c, const double *from, const double *value, size_t count, painted *p,
                         bool mean, mote_error *error) {
  APP_ASSERT(count > 0 && p->count > 0);
  mote_kdtree *tree = NULL;
  size_t k = mean ? MEAN_OF : 1;
  uint32_t *near = malloc(k * p->count * sizeof *near);
  double *distance2 = malloc(k * p->count * sizeof *distance2), reach2 = 16.0 * c->spacing * c->spacing;
  bool done = near != NULL && distance2 != NULL &&
              mote_kdtree_create(3, from, count, validation_env(c->v), &tree, error) == MOTE_OK &&
              mote_kdtree_nearest_at(tree, p->x, p->count, k, near, distance2, error) == MOTE_OK;
  for (size_t i = 0; i < p->count && done; ++i) {
    double sum = 0.0, weights = 0.0;
    for (size_t n = 0; n < k && near[k * i + n] != UINT32_MAX; ++n) {
      double s = 1.0 - distance2[k * i + n] / reach2, w = n == 0    ? fmax(s * s * s, 1e-9)
                                                          : s > 0.0 ? s * s * s
                                                                    : 0.0;
      sum += w * value[near[k * i + n]], weights += w;
    }
    p->colour[i] = sum / weights;
  }
  mote_kdtree_destroy(tree);
  free(near), free(distance2);
  return done;
}

// Adds error and flicker of one method's colours; they become the last ones.
static bool judge(colour_trial *c, int method, double time, double before, painted *now, mote_error *error) {
  APP_ASSERT(method >= 0 && method < COLOUR_METHODS && c->frames > 0);
  painted *last = &c->last[method];
  painted old = {malloc(3 * now->count * sizeof(double)), malloc(now->count * sizeof(double)), NULL,
                 now->count};
  double wrong = 0.0, changed = 0.0, area = 0.0;
  bool done = old.x != NULL && old.colour != NULL;
  if (done) memcpy(old.x, now->x, 3 * now->count * sizeof(double));
  if (done) carry(old.x, old.count, time, before);
  if (done && last->count > 0) done = find_colours(c, last->x, last->colour, last->count, &old, false, error);
  if (done && last->count == 0) memcpy(old.colour, now->colour, now->count * sizeof(double));
  for (size_t i = 0; i < now->count && done; ++i) {
    area += now->area[i];
    changed += (old.colour[i] > 0.5) != (now->colour[i] > 0.5) ? now->area[i] : 0.0;
  }
  if (done) carry(old.x, old.count, before, 0.0);
  for (size_t i = 0; i < now->count && done; ++i)
    wrong += now->area[i] * fabs(now->colour[i] - paint_at(old.x + 3 * i));
  c->error[method] += wrong / area / c->frames, c->flicker[method] += changed / area / c->frames;
  painted_free(&old), painted_free(last);
  *last = *now;
  return done;
}

// With -o: the surface in the colours of a method, colour.0001.vtp and so on.
static bool write_painted(const colour_trial *c, int method, const mote_surface *surface, mote_error *error) {
  static const double side[2][3] = {{0.16, 0.5, 0.83}, {0.95, 0.58, 0.18}};
  char name[32], path[1024];
  snprintf(name, sizeof name, "colour.%04d.vtp", method + 1);
  if (!validation_plot_path(c->v, name, path, sizeof path)) return true;
  const painted *p = &c->last[method];
  double *colour = malloc(3 * p->count * sizeof *colour);
  if (colour == NULL) return false;
  for (size_t i = 0; i < 3 * p->count; ++i)
    colour[i] = side[0][i % 3] + p->colour[i / 3] * (side[1][i % 3] - side[0][i % 3]);
  mote_surface out = *surface;
  out.fields = 1;
  out.field[0] = (mote_field_view){"colour", "1", MOTE_TYPE_F64, 3, p->count, colour};
  bool done = mote_surface_write(&out, NULL, path, error) == MOTE_OK;
  free(colour);
  return done;
}

// The three methods that colour a fresh surface.
static bool colour_fresh(colour_trial *c, const mote_surface *fresh, double time, double before,
                         mote_error *error) {
  for (int method = 0; method < COLOUR_TRACKED; ++method) {
    painted now;
    bool done = painted_make(&fresh->mesh, &now);
    const painted *last = &c->last[COLOUR_CARRIED];
    if (done && method != COLOUR_CARRIED) {
      done = find_colours(c, c->set.position, c->paint, c->set.count, &now, method == COLOUR_MEAN, error);
    } else if (done) {
      // Back by the velocity of the particles, as a program can do it.
      double *velocity = malloc(3 * now.count * sizeof *velocity);
      done = velocity != NULL;
      if (done) mote_track_flow_velocity(c->flow, time, now.x, now.count, velocity);
      for (size_t i = 0; i < 3 * now.count && done; ++i) now.x[i] -= (time - before) * velocity[i];
      done = done && find_colours(c, last->x, last->colour, last->count, &now, false, error);
      memcpy(now.x, fresh->mesh.vertex, 3 * now.count * sizeof(double));
      free(velocity);
    }
    if (!done || !judge(c, method, time, before, &now, error)) return false;
    if (time >= END_TIME && !write_painted(c, method, fresh, error)) return false;
  }
  return true;
}

static bool colour_tracked(colour_trial *c, double time, double before, mote_error *error) {
  mote_surface s;
  painted now;
  if (mote_tracked_surface(c->t, &s, error)) return false;
  bool done = painted_make(&s.mesh, &now);
  if (done) memcpy(now.colour, s.field[0].data, now.count * sizeof(double));
  done = done && judge(c, COLOUR_TRACKED, time, before, &now, error) &&
         (time < END_TIME || write_painted(c, COLOUR_TRACKED, &s, error));
  mote_surface_free(&s, validation_env(c->v));
  return done;
}

static bool run_frame(colour_trial *c, int k, mote_error *error) {
  size_t n = 3 * c->set.count, crossings;
  double t0 = END_TIME * (k - 1) / c->frames, t1 = END_TIME * k / c->frames;
  double *x0 = c->memory, *v0 = x0 + n, *x1 = c->set.position, *v1 = x0 + 2 * n;
  const mote_track_projection how = mote_track_projection_default();
  memcpy(x0, x1, n * sizeof(double));
  carry(x1, c->set.count, t0, t1);
  enright_flow(NULL, t0, x0, c->set.count, v0), enright_flow(NULL, t1, x1, c->set.count, v1);
  mote_track_moment from = {t0, x0, v0, c->set.count}, to = {t1, x1, v1, c->set.count};
  mote_surface_particles p = {.position = x1, .count = c->set.count};
  mote_surface fresh = {0};
  bool done = mote_surfacer_build(c->surfacer, &p, &fresh, error) == MOTE_OK &&
              mote_track_flow_set(c->flow, &from, &to, error) == MOTE_OK &&
              mote_tracked_move(c->t, 2, mote_track_flow_velocity, c->flow, t0, t1 - t0, error) == MOTE_OK &&
              mote_tracked_improve(c->t, NULL, error) == MOTE_OK &&
              mote_tracked_project(c->t, c->surfacer, &p, &how, NULL, error) == MOTE_OK &&
              mote_tracked_match(c->t, &fresh, c->spacing, NULL, error) == MOTE_OK &&
              mote_tracked_untangle(c->t, &crossings, error) == MOTE_OK &&
              colour_fresh(c, &fresh, t1, t0, error) && colour_tracked(c, t1, t0, error);
  mote_surface_free(&fresh, validation_env(c->v));
  return done;
}

static bool begin(colour_trial *c, mote_error *error) {
  const mote_env *env = validation_env(c->v);
  mote_surface_def def = trial_def(MOTE_SURFACE_ANISOTROPIC, c->spacing, 0.5);
  mote_shape_def ball =
      mote_shape_def_sphere(enright_centre[0], enright_centre[1], enright_centre[2], ENRIGHT_RADIUS);
  mote_shape *shape = trial_shape(c->v, &ball);
  if (shape == NULL) return false;
  c->set = particle_set_fill(shape, c->spacing, 5);
  mote_shape_destroy(shape);
  c->paint = malloc(c->set.count * sizeof *c->paint),
  c->memory = malloc(9 * c->set.count * sizeof *c->memory);
  mote_surface surface;
  if (c->paint == NULL || c->memory == NULL || !trial_build_set(c->v, &def, &c->set, &surface)) return false;
  for (size_t i = 0; i < c->set.count; ++i) c->paint[i] = paint_at(c->set.position + 3 * i);
  painted *first = &c->last[COLOUR_CARRIED];
  bool done = painted_make(&surface.mesh, first) &&
              mote_surfacer_create(&def, env, &c->surfacer, error) == MOTE_OK &&
              mote_track_flow_create(c->spacing, MOTE_TRACK_FITTED, env, &c->flow, error) == MOTE_OK;
  for (size_t v = 0; v < first->count && done; ++v) first->colour[v] = paint_at(first->x + 3 * v);
  done = done && track_begin(&surface.mesh, first->colour, 0.5 * c->spacing, env, &c->t, error);
  mote_surface_free(&surface, env);
  return done;
}

static void report(const colour_trial *c) {
  double own = c->error[COLOUR_TRACKED], calm = c->flicker[COLOUR_TRACKED];
  static const double least[COLOUR_METHODS] = {5.0, 1.5, 0.0, 0.0};
  for (int k = 0; k < COLOUR_METHODS; ++k) {
    char name[96];
    snprintf(name, sizeof name, "%s: L1 error of the colour", method_name[k]);
    validation_report(c->v, &(measure){name, MEASURE_SHOWN, c->error[k], 0.0, 0.0, "exact paths"});
    snprintf(name, sizeof name, "%s: area that changes colour in a frame", method_name[k]);
    validation_report(c->v, &(measure){name, MEASURE_SHOWN, c->flicker[k], 0.0, 0.0, "exact paths"});
    if (least[k] == 0.0) continue;
    snprintf(name, sizeof name, "%s: error / that of the tracked mesh", method_name[k]);
    // Coarse particles blur less beside the mesh, which is coarse, too.
    measure_kind kind = k == COLOUR_MEAN && validation_quick(c->v) ? MEASURE_SHOWN : MEASURE_AT_LEAST;
    validation_report(c->v, &(measure){name, kind, c->error[k] / own, least[k], 0.0, "YU11 Fig. 5.4"});
  }
  validation_report(c->v, &(measure){"nearest particle: flicker / that of the tracked mesh", MEASURE_AT_LEAST,
                                     c->flicker[COLOUR_NEAREST] / calm, 5.0, 0.0, "YU11 Fig. 5.4"});
}

void validate_track_colour(validation *v) {
  bool quick = validation_quick(v);
  colour_trial c = {.v = v, .spacing = quick ? 0.02 : 0.0125, .frames = quick ? 15 : 60};
  mote_error error = {0};
  bool done = begin(&c, &error);
  for (int k = 1; k <= c.frames && done; ++k) done = run_frame(&c, k, &error);
  if (done)
    report(&c);
  else
    validation_error(v, &error);
  for (int k = 0; k < COLOUR_METHODS; ++k) painted_free(&c.last[k]);
  mote_tracked_destroy(c.t);
  mote_track_flow_destroy(c.flow);
  mote_surfacer_destroy(c.surfacer);
  particle_set_free(&c.set);
  free(c.paint), free(c.memory);
}
