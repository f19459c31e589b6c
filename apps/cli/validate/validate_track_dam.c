// Validation of a tracked surface in a splash: double_dam_break, looked at in every frame.
// docs/theory/tracking.md, "A splash"
#include <math.h>
#include <mote/mote.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene_open.h"
#include "validate.h"

#define OUTSIDE 0.5  // spacings: particles farther out of the mesh are looked at
#define NEAR 0.5     // spacings between the mesh and the particles' surface that 99.9 % of the vertices have
#define FRAMES_OUT 3

typedef struct dam_found {
  size_t frames, faults, crossings, vertices, far, lost;  // far, lost: beyond NEAR and 1 spacing
  size_t events, rebuilt, outside;                        // outside: particles for longer than FRAMES_OUT
  size_t left, most_out;  // places that surgery left as they were; particles outside in a frame, at most
  double farthest;
} dam_found;

typedef struct dam {
  validation *v;
  mote_world *world;
  mote_world_surface tracked, fresh;
  int *frames_out;  // of each particle, by id
  size_t ids;
  dam_found found;
} dam;

static mote_shape *shape_of(dam *d, const mote_mesh *mesh, mote_error *error) {
  mote_shape_def def = mote_shape_def_default();
  mote_shape *shape = NULL;
  def.kind = MOTE_SHAPE_MESH, def.mesh = *mesh;
  return mote_shape_create(&def, 3, validation_env(d->v), &shape, error) == MOTE_OK ? shape : NULL;
}

// Distances from the vertices of one surface to the other.
static bool look_at_vertices(dam *d, const mote_surface *tracked, const mote_surface *fresh,
                             mote_error *error) {
  mote_shape *shape = shape_of(d, &fresh->mesh, error);
  double spacing = mote_world_spacing(d->world);
  if (shape == NULL) return false;
  for (size_t v = 0; v < tracked->mesh.vertices; ++v) {
    double far = fabs(mote_shape_distance(shape, tracked->mesh.vertex + 3 * v)) / spacing;
    d->found.far += far > NEAR, d->found.lost += far > 1.0;
    d->found.farthest = fmax(d->found.farthest, far);
  }
  d->found.vertices += tracked->mesh.vertices;
  mote_shape_destroy(shape);
  return true;
}

static bool look_at_particles(dam *d, const mote_surface *tracked, mote_error *error) {
  mote_shape *shape = shape_of(d, &tracked->mesh, error);
  mote_field_view position = mote_world_view(d->world, "position"), id = mote_world_view(d->world, "id");
  double most = OUTSIDE * mote_world_spacing(d->world);
  size_t now = 0;
  if (shape == NULL) return false;
  for (size_t i = 0; i < position.count; ++i) {
    const double *x = (const double *)position.data + 3 * i;
    uint64_t own = ((const uint64_t *)id.data)[i];
    if (own >= d->ids) continue;
    int *out = &d->frames_out[own];
    *out = mote_shape_distance(shape, x) > most ? *out + 1 : 0;
    d->found.outside += *out == FRAMES_OUT + 1, now += *out > 0;
  }
  if (now > d->found.most_out) d->found.most_out = now;
  mote_shape_destroy(shape);
  return true;
}

static bool look(dam *d, mote_error *error) {
  const mote_env *env = validation_env(d->v);
  mote_surface tracked = {0}, fresh = {0};
  mote_mesh_report r;
  bool done = mote_world_build_surface(d->world, d->tracked, NULL, 0, &tracked, error) == MOTE_OK &&
              mote_world_build_surface(d->world, d->fresh, NULL, 0, &fresh, error) == MOTE_OK &&
              mote_mesh_examine(&tracked.mesh, env, &r, error) == MOTE_OK;
  if (done) {
    d->found.faults += r.open_edges + r.crowded_edges + r.flipped_edges + r.pinched_vertices;
    d->found.crossings += r.crossings > 0;
    ++d->found.frames;
    done = look_at_vertices(d, &tracked, &fresh, error);
    if (done && r.crossings == 0) done = look_at_particles(d, &tracked, error);
  }
  mote_surface_free(&tracked, env), mote_surface_free(&fresh, env);
  return done;
}

static bool run_frame(dam *d, double until, mote_error *error) {
  while (mote_world_time(d->world) < until) {
    size_t events;
    if (mote_world_step(d->world, until, error) != MOTE_OK) return false;
    const mote_world_track_event *event = mote_world_track_events(d->world, &events);
    d->found.events += events, d->found.left += mote_world_report(d->world).surface_left;
    for (size_t k = 0; k < events; ++k) d->found.rebuilt += event[k].event.rebuilt;
  }
  return look(d, error);
}

static void report(dam *d, const char *of) {
  const dam_found *f = &d->found;
  double share = f->vertices > 0 ? (double)f->far / (double)f->vertices : 1.0,
         rebuilt = f->events > 0 ? (double)f->rebuilt / (double)f->events : 0.0;
  const struct {
    const char *what;
    measure_kind kind;
    double value, tolerance;
  } row[] = {{"open, crowded, flipped edges, pinched vertices", MEASURE_NEAR, (double)f->faults, 0.0},
             {"frames with crossings", MEASURE_NEAR, (double)f->crossings, 0.0},
             {"vertices farther than d/2 from the surface, of all", MEASURE_NEAR, share, 1e-3},
             {"vertices farther than d, events' too", MEASURE_SHOWN, (double)f->lost, 0.0},
             {"the farthest, spacings", MEASURE_SHOWN, f->farthest, 0.0},
             {"particles outside by d/2 for more than 3 frames", MEASURE_NEAR, (double)f->outside, 0.0},
             {"events that replaced whole parts, of all", MEASURE_NEAR, rebuilt, 0.02},
             {"particles outside by d/2 in a frame, at most", MEASURE_SHOWN, (double)f->most_out, 0.0},
             {"events", MEASURE_SHOWN, (double)f->events, 0.0},
             {"places that surgery left for the next time", MEASURE_SHOWN, (double)f->left, 0.0},
             {"frames", MEASURE_SHOWN, (double)f->frames, 0.0}};
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    char name[96];
    snprintf(name, sizeof name, "%s: %s", of, row[k].what);
    validation_report(d->v,
                      &(measure){name, row[k].kind, row[k].value, 0.0, row[k].tolerance, "implicit surface"});
  }
}

static bool run_frames(dam *d, const mote_scene *scene, mote_error *error) {
  mote_world_surface_def def = mote_world_surface_def_default();
  def.name = "fresh", def.walls = true;
  if (mote_world_add_surface(d->world, &def, &d->fresh, error)) return false;
  d->tracked = mote_world_find_surface(d->world, "surface");
  d->ids = mote_world_particles(d->world), d->frames_out = calloc(d->ids + 1, sizeof *d->frames_out);
  bool done = d->frames_out != NULL;
  for (size_t n = 1; n <= mote_scene_frames(scene) && done; ++n)
    done = run_frame(d, mote_scene_frame_time(scene, n - 1), error);
  free(d->frames_out);
  return done;
}

static void run_one(validation *v, double spacing, double duration) {
  char at[64], until[64], name[32];
  snprintf(at, sizeof at, "spacing=%g", spacing), snprintf(until, sizeof until, "duration=%g", duration);
  snprintf(name, sizeof name, "%g cm", 100.0 * spacing);
  const char *set[] = {at, until};
  mote_scene_file *file = NULL;
  dam d = {.v = v};
  mote_error error = {0};
  const mote_env *env = validation_env(v);
  bool done = scene_find("double_dam_tracked", set, 2, env, &file, &error) == MOTE_OK &&
              mote_world_create_scene(mote_scene_file_scene(file), env, &d.world, &error) == MOTE_OK &&
              run_frames(&d, mote_scene_file_scene(file), &error);
  if (done)
    report(&d, name);
  else
    validation_error(v, &error);
  mote_world_destroy(d.world);
  mote_scene_file_destroy(file);
}

// With --release 9,400 particles, then 75,000 for 2e8 of their steps.
static void run_dam(validation *v) {
  run_one(v, 0.05, validation_quick(v) ? 0.3 : 1.6);
  if (validation_release(v)) run_one(v, 0.025, 1.0);
  if (validation_release(v)) run_one(v, 0.0125, 2.0);
}

const validation_case validate_track_dam_cases[] = {
    {"track-dam", "tracking", "two columns of water that meet: the tracked surface in every frame", run_dam},
    {0},
};
