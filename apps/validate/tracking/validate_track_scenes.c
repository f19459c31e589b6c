// Validation of tracked surfaces in scenes, looked at in every step and every frame: two columns of water
// that meet, and the scenes of YU11 chapter 5. docs/theory/tracking.md, "A splash"
#include <math.h>
#include <mote/mote.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/scene_open.h"
#include "validate/tracking/track_jumps.h"
#include "validate/validate.h"

#define OUTSIDE_DISTANCE 0.5  // spacings: particles farther out of the mesh are looked at
// Spacings between the mesh and the particles' surface that 99.9 % of the vertices have
#define SURFACE_DISTANCE_MAX 0.5
#define FRAMES_OUT 3
#define EVENT_REACH 3.0  // spacings about a change of topology

typedef struct watch_found {
  size_t frames, faults, crossings, vertices, far;  // far: beyond SURFACE_DISTANCE_MAX
  size_t events, rebuilt, outside;                  // outside: particles for longer than FRAMES_OUT
  size_t left, most_out;  // places that surgery left as they were; particles outside in a frame, at most
  double farthest;
} watch_found;

typedef struct watch {
  validation *v;
  mote_world *world;
  mote_world_surface tracked, fresh;
  int *frames_out;  // of each particle, by id
  size_t ids;
  watch_found found;
  size_t frame;  // that is run
  track_jumps jumps;
  track_points events, lost;  // lost: vertices farther than a spacing from the particles' surface
} watch;

static mote_shape *shape_of(watch *w, const mote_mesh *mesh, mote_error *error) {
  mote_shape_def def = mote_shape_def_default();
  mote_shape *shape = NULL;
  def.kind = MOTE_SHAPE_MESH, def.mesh = *mesh;
  return mote_shape_create(&def, 3, validation_env(w->v), &shape, error) == MOTE_OK ? shape : NULL;
}

// Distances from the vertices of one surface to the other.
static bool measure_vertices(watch *w, const mote_surface *tracked, const mote_surface *fresh,
                             mote_error *error) {
  mote_shape *shape = shape_of(w, &fresh->mesh, error);
  double spacing = mote_world_spacing(w->world);
  if (shape == NULL) return false;
  for (size_t v = 0; v < tracked->mesh.vertices; ++v) {
    double far = fabs(mote_shape_distance(shape, tracked->mesh.vertex + 3 * v)) / spacing;
    w->found.far += far > SURFACE_DISTANCE_MAX;
    if (far > 1.0 && !track_points_add(&w->lost, tracked->mesh.vertex + 3 * v, w->frame)) return false;
    w->found.farthest = fmax(w->found.farthest, far);
  }
  w->found.vertices += tracked->mesh.vertices;
  mote_shape_destroy(shape);
  return true;
}

static bool measure_particles(watch *w, const mote_surface *tracked, mote_error *error) {
  mote_shape *shape = shape_of(w, &tracked->mesh, error);
  mote_field_view position = mote_world_view(w->world, "position"), id = mote_world_view(w->world, "id");
  double most = OUTSIDE_DISTANCE * mote_world_spacing(w->world);
  size_t now = 0;
  if (shape == NULL) return false;
  for (size_t i = 0; i < position.count; ++i) {
    const double *x = (const double *)position.data + 3 * i;
    uint64_t own = ((const uint64_t *)id.data)[i];
    if (own >= w->ids) continue;
    int *out = &w->frames_out[own];
    *out = mote_shape_distance(shape, x) > most ? *out + 1 : 0;
    w->found.outside += *out == FRAMES_OUT + 1, now += *out > 0;
  }
  if (now > w->found.most_out) w->found.most_out = now;
  mote_shape_destroy(shape);
  return true;
}

static bool take_sample(watch *w, mote_error *error) {
  const mote_env *env = validation_env(w->v);
  mote_surface tracked = {0}, fresh = {0};
  mote_mesh_report r;
  bool done = mote_world_build_surface(w->world, w->tracked, NULL, 0, &tracked, error) == MOTE_OK &&
              mote_world_build_surface(w->world, w->fresh, NULL, 0, &fresh, error) == MOTE_OK &&
              mote_mesh_examine(&tracked.mesh, env, &r, error) == MOTE_OK;
  if (done) {
    w->found.faults += r.open_edges + r.crowded_edges + r.flipped_edges + r.pinched_vertices;
    w->found.crossings += r.crossings > 0;
    ++w->found.frames;
    done = measure_vertices(w, &tracked, &fresh, error);
    if (done && r.crossings == 0) done = measure_particles(w, &tracked, error);
  }
  mote_surface_free(&tracked, env), mote_surface_free(&fresh, env);
  return done;
}

static bool find_jumps(watch *w, mote_error *error) {
  mote_surface tracked = {0};
  if (mote_world_build_surface(w->world, w->tracked, NULL, 0, &tracked, error) != MOTE_OK) return false;
  bool done = track_jumps_measure(&w->jumps, &tracked, mote_world_report(w->world).step, w->frame);
  mote_surface_free(&tracked, validation_env(w->v));
  return done;
}

static bool run_frame(watch *w, double until, mote_error *error) {
  while (mote_world_time(w->world) < until) {
    size_t events;
    if (mote_world_step(w->world, until, error) != MOTE_OK) return false;
    const mote_world_track_event *event = mote_world_track_events(w->world, &events);
    w->found.events += events, w->found.left += mote_world_report(w->world).surface_left;
    for (size_t k = 0; k < events; ++k) {
      w->found.rebuilt += event[k].event.rebuilt;
      if (!track_points_add(&w->events, event[k].event.place, w->frame)) return false;
    }
    if (!find_jumps(w, error)) return false;
  }
  return take_sample(w, error);
}

typedef enum trial_kind {
  TRIAL_SPLASH,  // all is judged but jumps
  TRIAL_VIDEO,   // what may be seen in a video
  TRIAL_CALM,    // the same, of a scene whose waves are turned off
  TRIAL_WAVES,   // with its waves, which move vertices
} trial_kind;

// "NAME: WHAT".
static void report(watch *w, const char *of, trial_kind trial) {
  const watch_found *f = &w->found;
  double share = f->vertices > 0 ? (double)f->far / (double)f->vertices : 1.0,
         rebuilt = f->events > 0 ? (double)f->rebuilt / (double)f->events : 0.0,
         reach = EVENT_REACH * mote_world_spacing(w->world);
  double lost = (double)track_points_away(&w->lost, &w->events, reach),
         jumps = (double)track_points_away(&w->jumps.jumps, &w->events, reach);
  measure_kind judged = trial == TRIAL_SPLASH ? MEASURE_NEAR : MEASURE_SHOWN,
               still = trial == TRIAL_VIDEO || trial == TRIAL_CALM ? MEASURE_NEAR : MEASURE_SHOWN;
  const struct {
    const char *what;
    measure_kind kind;
    double value, tolerance;
  } row[] = {{"open, crowded, flipped edges, pinched vertices", MEASURE_NEAR, (double)f->faults, 0.0},
             {"frames with crossings", MEASURE_NEAR, (double)f->crossings, 0.0},
             {"jumps by more than d/4 away from events and walls", still, jumps, 0.0},
             {"jumps by more than d/4, events' too", MEASURE_SHOWN, (double)w->jumps.jumps.count, 0.0},
             {"jumps by more than d/4 at walls", MEASURE_SHOWN, (double)w->jumps.at_walls, 0.0},
             {"the largest, but at walls, spacings", MEASURE_SHOWN, w->jumps.largest, 0.0},
             {"vertices farther than d/2 from the surface, of all", judged, share, 1e-3},
             {"vertices farther than d away from events", judged, lost, 0.0},
             {"vertices farther than d, events' too", MEASURE_SHOWN, (double)w->lost.count, 0.0},
             {"the farthest, spacings", MEASURE_SHOWN, f->farthest, 0.0},
             {"particles outside by d/2 for more than 3 frames", judged, (double)f->outside, 0.0},
             {"events that replaced whole parts, of all", judged, rebuilt, 0.02},
             {"particles outside by d/2 in a frame, at most", MEASURE_SHOWN, (double)f->most_out, 0.0},
             {"events", MEASURE_SHOWN, (double)f->events, 0.0},
             {"places that surgery left for the next time", MEASURE_SHOWN, (double)f->left, 0.0},
             {"frames", MEASURE_SHOWN, (double)f->frames, 0.0}};
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    char name[128];
    snprintf(name, sizeof name, "%s: %s", of, row[k].what);
    validation_report(w->v,
                      &(measure){name, row[k].kind, row[k].value, 0.0, row[k].tolerance, "implicit surface"});
  }
}

typedef struct trial {
  const char *scene;
  double spacing, duration, often;  // m, s; rows at every `often` seconds, of all frames up to there
  trial_kind kind;
} trial;

static bool run_frames(watch *w, const trial *t, const mote_scene *scene, mote_error *error) {
  mote_world_surface_def def = mote_world_surface_def_default();
  def.name = "fresh", def.walls = true;
  if (mote_world_add_surface(w->world, &def, &w->fresh, error)) return false;
  w->tracked = mote_world_find_surface(w->world, "surface");
  w->ids = mote_world_particles(w->world), w->frames_out = calloc(w->ids + 1, sizeof *w->frames_out);
  w->jumps.spacing = mote_world_spacing(w->world);
  for (int k = 0; k < 3; ++k) {
    w->jumps.low[k] = scene->world.side[k][0] == MOTE_SIDE_WALL ? scene->world.low[k] : -HUGE_VAL;
    w->jumps.high[k] = scene->world.side[k][1] == MOTE_SIDE_WALL ? scene->world.high[k] : HUGE_VAL;
  }
  bool done = w->frames_out != NULL;
  double reported = 0.0;
  for (size_t frames = mote_scene_frames(scene); w->frame < frames && done; ++w->frame) {
    double time = mote_scene_frame_time(scene, w->frame);
    char of[64];
    done = run_frame(w, time, error);
    if (!done || (w->frame + 1 < frames && time < reported + t->often - 1e-9)) continue;
    snprintf(of, sizeof of, "%s%s %g cm, to %.2g s", t->kind == TRIAL_SPLASH ? "dam" : t->scene,
             t->kind == TRIAL_WAVES ? ", waves," : "", 100.0 * t->spacing, time);
    report(w, of, t->kind);
    reported = time;
  }
  free(w->frames_out);
  return done;
}

static void run_trial(validation *v, const trial *t) {
  char at[64], until[64];
  snprintf(at, sizeof at, "spacing=%g", t->spacing);
  snprintf(until, sizeof until, "duration=%g", t->duration);
  const char *set[] = {at, until, "track.waves=false"};
  mote_scene_file *file = NULL;
  watch w = {.v = v};
  mote_error error = {0};
  const mote_env *env = validation_env(v);
  bool done = scene_find(t->scene, set, t->kind == TRIAL_CALM ? 3 : 2, env, &file, &error) == MOTE_OK &&
              mote_world_create_scene(mote_scene_file_scene(file), env, &w.world, &error) == MOTE_OK &&
              run_frames(&w, t, mote_scene_file_scene(file), &error);
  if (!done) validation_error(v, &error);
  mote_world_destroy(w.world);
  mote_scene_file_destroy(file);
  track_jumps_free(&w.jumps);
  track_points_free(&w.events), track_points_free(&w.lost);
}

void validate_track_dam(validation *v) {
  double duration = validation_quick(v) ? 0.3 : 1.6;
  run_trial(v, &(trial){"double_dam_tracked", 0.05, duration, duration, TRIAL_SPLASH});
}

static void run_fine(validation *v, double spacing, double duration, double often) {
  if (validation_release(v))
    run_trial(v, &(trial){"double_dam_tracked", spacing, duration, often, TRIAL_SPLASH});
  else
    validation_skip(v, "with --release only: hours");
}

// 9,400 particles.
void validate_track_dam_fine(validation *v) {
  run_fine(v, 0.025, 1.6, 0.4);
}

// 75,000 for 2e8 of their steps.
void validate_track_dam_finest(validation *v) {
  run_fine(v, 0.0125, 2.0, 0.2);
}

// Coarser than the scenes by half and more.
void validate_track_scenes(validation *v) {
  static const trial scene[] = {
      {"honey_ball", 0.01, 0.3, 1.0, TRIAL_VIDEO},     {"cube_drop", 2e-3, 0.1, 1.0, TRIAL_VIDEO},
      {"dumbbell_pinch", 2e-3, 0.2, 1.0, TRIAL_VIDEO}, {"viscous_figures", 0.03, 1.0, 2.0, TRIAL_VIDEO},
      {"spheres_merge", 1.5e-3, 0.1, 1.0, TRIAL_CALM}, {"spheres_merge", 1.5e-3, 0.1, 1.0, TRIAL_WAVES},
      {"crown_waves", 0.02, 0.2, 1.0, TRIAL_CALM},     {"crown_waves", 0.02, 0.2, 1.0, TRIAL_WAVES}};
  if (validation_quick(v)) {
    validation_skip(v, "without --quick only");
    return;
  }
  for (size_t k = 0; k < sizeof scene / sizeof *scene; ++k) run_trial(v, &scene[k]);
}
