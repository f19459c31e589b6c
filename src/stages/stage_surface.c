// Stage surface: advects the tracked mesh with the particles (YU11 5.1). In every step its vertices move with
// the particles around them, and its triangles are improved; from time to time it is projected onto the
// surface of the particles and matched with its topology. docs/theory/tracking.md, "In a world"
#include <math.h>

#include "geom/triple.h"
#include "matter/world_track.h"
#include "stages/stages.h"
#include "stages/tuning.inc"
#include "surface/surfacer.h"
#include "track/tracked_mesh.h"

#define PROJECT_STEPS 10  // steps at most between two projections
// A mesh that moves by PROJECT_MOVED in fewer steps is put back after PROJECT_FAST. At the end of a frame it
// always is: what is written out has no crossings, and no parts that the particles have left.
#define PROJECT_FAST_STEPS 3
#define MATCH_EVERY 10  // projections at most between two looks at topology
#define MATCH_LEAST 3   // at least, where vertices find no surface, but for the end of a frame

// The map of the step, x before -> x after, as a velocity: exact where it is linear. If rows may have melted
// or frozen since they moved, their velocities are used.
static mote_result set_flow(mote_world *world, mote_error *error) {
  size_t n = mote_world_fluid_rows(world);
  const double *to = mote_store_f64(mote_world_store(world), MOTE_PARTICLE_POSITION);
  const float *own = mote_store_f32(mote_world_store(world), MOTE_PARTICLE_VELOCITY);
  MOTE_TAKE_NEW(double, velocity, &world->scratch, 6 * n, error);
  double *from = velocity + 3 * n;
  for (size_t i = 0; i < 3 * n; ++i) {
    velocity[i] = world->def.heat ? (double)own[i] : (to[i] - world->from[i]) / world->dt;
    from[i] = to[i] - world->dt * velocity[i];
  }
  mote_track_moment moment = {0.0, from, velocity, n};
  return mote_track_flow_set(world->track->flow, &moment, NULL, error);
}

// Moves the vertices, whose velocities are a field. *most: largest displacement relative to the mean, m.
static mote_result move(mote_world *world, mote_tracked *mesh, double *most, mote_error *error) {
  MOTE_TRY(set_flow(world, error));
  size_t rows = mesh->edges.vertices;
  double *velocity = mote_tracked_field_values(mesh, "velocity"), mean[3] = {0.0}, largest = 0.0;
  mote_track_flow_velocity(world->track->flow, 0.0, mesh->position, rows, velocity);
  for (size_t v = 0; v < rows; ++v) {
    if (!isfinite(velocity[3 * v] + velocity[3 * v + 1] + velocity[3 * v + 2]))
      return mote_fail(error, MOTE_ERROR_NUMERIC, "a vertex of the tracked surface has no velocity");
    step3(mean, 1.0 / (double)rows, velocity + 3 * v, mean);
  }
  for (size_t v = 0; v < rows; ++v) {
    double rest[3];
    sub3(velocity + 3 * v, mean, rest);
    largest = max2(largest, dot3(rest, rest));
    step3(mesh->position + 3 * v, world->dt, velocity + 3 * v, mesh->position + 3 * v);
  }
  *most = sqrt(largest) * world->dt;
  return MOTE_OK;
}

static mote_result note_events(mote_world *world, const mote_tracked *mesh, const mote_track_match *match,
                               mote_error *error) {
  mote_world_track *t = world->track;
  size_t count;
  const mote_track_event *event = mote_tracked_events(mesh, &count);
  MOTE_TRY(
      mote_reserve(&world->env, &t->event, &t->event_capacity, t->events + count, sizeof *t->event, error));
  for (size_t k = 0; k < count; ++k)
    t->event[t->events++] = (mote_world_track_event){event[k], match->removed, match->made};
  return MOTE_OK;
}

static mote_track_projection projection_of(const mote_world *world) {
  return (mote_track_projection){world->def.track.project, world->def.track.fairing, MOVE_MOST};
}

// Replaces parts that merged, split, appeared or vanished; or parts with crossings, as a whole.
static mote_result match(mote_world *world, mote_tracked *mesh, const mote_surface_particles *particles,
                         const mote_surface *fresh, bool whole, mote_error *error) {
  mote_track_match report;
  mote_track_projection how = projection_of(world);
  uint64_t since = mote_tracked_ids(mesh);
  double reach = max2(MATCH_REACH, 2.0 * world->def.track.edge) * world->def.spacing;
  MOTE_TRY(whole ? mote_tracked_rebuild(mesh, fresh, reach, &report, error)
                 : mote_tracked_match(mesh, fresh, reach, &report, error));
  world->report.surface_left = report.left;
  MOTE_TRY(note_events(world, mesh, &report, error));
  MOTE_TRY(mote_world_track_fill(world, mesh, error));
  return report.made > 0 ? mote_tracked_blend(mesh, world->track->surfacer, particles, &how, since, error)
                         : mote_tracked_improve(mesh, NULL, error);
}

// Projects onto the surface of these particles. `fresh`, that surface, is built when needed.
static mote_result put_back(mote_world *world, mote_tracked *mesh, const mote_surface_particles *particles,
                            mote_surface *fresh, mote_error *error) {
  mote_surfacer *surfacer = world->track->surfacer;
  mote_track_projected report;
  mote_track_projection how = projection_of(world);
  uint64_t *projections = mote_world_track_u64(world, MOTE_TRACK_PROJECTIONS),
           *rows = mote_world_track_u64(world, MOTE_TRACK_PARTICLES);
  size_t crossings, count = mote_world_fluid_rows(world);
  MOTE_TRY(mote_tracked_project(mesh, surfacer, particles, &how, &report, error));
  uint64_t least = report.failed == 0 ? MATCH_EVERY : world->lands ? 0 : MATCH_LEAST;
  bool matched = ++*projections >= least || *rows != count;
  if (matched) {
    *projections = 0, *rows = count;
    MOTE_TRY(mote_surfacer_build(surfacer, particles, fresh, error));
    MOTE_TRY(match(world, mesh, particles, fresh, false, error));
  }
  MOTE_TRY(mote_tracked_untangle(mesh, &crossings, error));
  if (crossings > 0 && !matched) MOTE_TRY(mote_surfacer_build(surfacer, particles, fresh, error));
  // A match cuts out crossing triangles; if that fails, whole parts are replaced.
  for (int whole = 0; whole < 2 && crossings > 0; ++whole) {
    MOTE_TRY(match(world, mesh, particles, fresh, whole == 1, error));
    MOTE_TRY(mote_tracked_untangle(mesh, &crossings, error));
  }
  return MOTE_OK;
}

static mote_result project(mote_world *world, mote_tracked *mesh, mote_error *error) {
  mote_surface_images images;
  mote_surface fresh = {0};
  MOTE_TRY(mote_world_track_surface(world, NULL, &images, error));
  mote_result result = put_back(world, mesh, &images.view, &fresh, error);
  mote_surface_free(&fresh, &world->env);
  mote_surface_images_free(&images, &world->env);
  return result;
}

static bool is_projected(const mote_world *world, uint64_t steps, double moved) {
  double most = steps < PROJECT_FAST_STEPS ? PROJECT_FAST : PROJECT_MOVED;
  return world->lands || steps >= PROJECT_STEPS || moved > most * world->def.spacing;
}

static mote_result follow(mote_world *world, mote_tracked *mesh, mote_error *error) {
  uint64_t *steps = mote_world_track_u64(world, MOTE_TRACK_STEPS);
  double *moved = mote_world_track_moved(world), most = 0.0;
  if (mote_tracked_vertices(mesh) > 0) MOTE_TRY(move(world, mesh, &most, error));
  MOTE_TRY(mote_tracked_improve(mesh, NULL, error));
  *moved += most;
  if (is_projected(world, ++*steps, *moved)) {
    *steps = 0, *moved = 0.0;
    MOTE_TRY(project(world, mesh, error));
  }
  const mote_track_waves *waves = &world->def.track.waves;
  if (!waves->on) return MOTE_OK;
  mote_wave_def def = waves->def;
  if (isnan(def.strength)) def.strength = mote_world_track_capillarity(world);
  return mote_tracked_waves(mesh, &def, world->dt, NULL, error);
}

static bool is_finite(const mote_world *world) {
  const double *x = mote_store_f64(mote_world_store(world), MOTE_PARTICLE_POSITION);
  double sum = 0.0;
  for (size_t i = 0; i < 3 * mote_world_fluid_rows(world); ++i) sum += 0.0 * x[i];
  return sum == 0.0;
}

mote_result mote_stage_surface(mote_world *world, mote_error *error) {
  if (world->track == NULL || !is_finite(world)) return MOTE_OK;  // the watchdog says what is not finite
  MOTE_ASSERT(mote_world_track_begun(world));
  world->track->events = 0;
  mote_tracked *mesh;
  MOTE_TRY(mote_world_track_read(world, &mesh, error));
  mote_result result = follow(world, mesh, error);
  if (result == MOTE_OK) result = mote_world_track_write(world, mesh, error);
  mote_tracked_destroy(mesh);
  return result;
}
