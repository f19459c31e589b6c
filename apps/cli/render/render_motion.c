// How the things of a render move while the shutter is open: colliders by their motions, rigid bodies by the
// velocities of the run's table, elastic ones by where they were a frame ago.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"
#include "cli/render/render_studio.h"

#define FRAMES_A_SECOND 24.0  // of files without a run

double render_frame_seconds(const render_studio *studio) {
  const mote_scene *scene = studio->shots->scene;
  if (scene != NULL) return mote_scene_frame_time(scene, 2) - mote_scene_frame_time(scene, 1);
  return 1 / (studio->options->fps > 0 ? studio->options->fps : FRAMES_A_SECOND);
}

// --- Colliders ---

static float *collider_velocity(const mote_mesh *mesh, const mote_pose *from, const mote_pose *to,
                                double seconds) {
  APP_ASSERT(seconds > 0);
  if (memcmp(from, to, sizeof *from) == 0) return NULL;
  float *velocity = input_take(3 * mesh->vertices, sizeof *velocity);
  for (size_t v = 0; v < mesh->vertices; ++v) {
    double a[3], b[3];
    backdrop_place(from, mesh->vertex + 3 * v, a), backdrop_place(to, mesh->vertex + 3 * v, b);
    for (size_t k = 0; k < 3; ++k) velocity[3 * v + k] = (float)((b[k] - a[k]) / seconds);
  }
  return velocity;
}

static void move_colliders(render_studio *studio, double time, double seconds, float **velocity) {
  size_t count = backdrop_first_body(&studio->stage);
  mote_pose *from = input_take(count + 1, sizeof *from);
  backdrop_set(&studio->stage, fmax(0, time - 0.5 * seconds));
  memcpy(from, studio->stage.pose, count * sizeof *from);
  double before = fmin(time, 0.5 * seconds);
  backdrop_set(&studio->stage, time + 0.5 * seconds);
  for (size_t k = 0; k < count; ++k)
    if (studio->stage.mesh[k].pose != NULL)
      velocity[k] = collider_velocity(&studio->stage.mesh[k].mesh, from + k, studio->stage.pose + k,
                                      before + 0.5 * seconds);
  backdrop_set(&studio->stage, time);
  free(from);
}

// --- Bodies ---

static float *body_velocity(const mote_preview_mesh *m, const body_place *body) {
  if (m->pose == NULL) return NULL;
  float *velocity = input_take(3 * m->mesh.vertices, sizeof *velocity);
  const double *w = body->spin;
  for (size_t v = 0; v < m->mesh.vertices; ++v) {
    double x[3];
    backdrop_place(m->pose, m->mesh.vertex + 3 * v, x);
    for (size_t k = 0; k < 3; ++k) {
      size_t a = (k + 1) % 3, b = (k + 2) % 3;
      velocity[3 * v + k] =
          (float)(body->velocity[k] + w[a] * (x[b] - body->position[b]) - w[b] * (x[a] - body->position[a]));
    }
  }
  return velocity;
}

// The vertices of an elastic body's mesh now, and those of a frame ago in `velocity`.
static void finish_skin(const mote_mesh *mesh, size_t vertices, double seconds, float **velocity) {
  APP_ASSERT(seconds > 0);
  float *own = *velocity;
  if (mesh->vertices != vertices || own == NULL) {  // it broke, and has another mesh
    free(own);
    *velocity = NULL;
    return;
  }
  for (size_t k = 0; k < 3 * vertices; ++k) own[k] = (float)((mesh->vertex[k] - (double)own[k]) / seconds);
}

// Reads the frame before, then this one again.
static bool move_skins(render_studio *studio, double time, double seconds, float **velocity) {
  backdrop *stage = &studio->stage;
  size_t count = stage->elastic.count, first = stage->meshes - count;
  if (count == 0 || !(time > 0.5 * seconds)) return true;
  size_t *vertices = input_take(count, sizeof *vertices);
  bool ok = backdrop_read_bodies(stage, &studio->bodies, studio->shots->directory, time - seconds);
  for (size_t k = 0; k < count; ++k) {
    const mote_mesh *mesh = &stage->mesh[first + k].mesh;
    vertices[k] = mesh->vertices;
    velocity[first + k] = input_take(3 * mesh->vertices, sizeof **velocity);
    for (size_t v = 0; v < 3 * mesh->vertices; ++v) velocity[first + k][v] = (float)mesh->vertex[v];
  }
  ok = ok && backdrop_read_bodies(stage, &studio->bodies, studio->shots->directory, time);
  for (size_t k = 0; k < count; ++k)
    finish_skin(&stage->mesh[first + k].mesh, vertices[k], seconds, velocity + first + k);
  free(vertices);
  return ok;
}

float **render_motion_make(render_studio *studio, double time) {
  APP_ASSERT(studio->staged);
  backdrop *stage = &studio->stage;
  double frame = render_frame_seconds(studio), seconds = studio->camera.shutter * frame;
  float **velocity = calloc(stage->meshes + 1, sizeof *velocity);
  if (velocity == NULL) abort();
  move_colliders(studio, time, seconds, velocity);
  move_skins(studio, time, frame, velocity);
  size_t first = backdrop_first_body(stage);
  for (size_t k = 0; k < stage->bodies && studio->bodies.file != NULL; ++k)
    velocity[first + k] = body_velocity(&stage->mesh[first + k], &stage->place[k]);
  return velocity;
}

void render_motion_free(const render_studio *studio, float **velocity) {
  for (size_t k = 0; velocity != NULL && k < studio->stage.meshes; ++k) free(velocity[k]);
  free(velocity);
}
