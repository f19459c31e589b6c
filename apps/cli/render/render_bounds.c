// What the camera of a render takes in: where the contents of its frames are, not the domain, much of which
// may be empty. A few drops that fly out of the picture do not matter.
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"
#include "cli/base/paths.h"
#include "cli/bodies/action_view.h"
#include "cli/render/render_studio.h"
#include "cli/run/run_table.h"

#define LEFT_OUT 0.001           // part of the particles or vertices on each side of each axis
#define BOUNDS_POINTS_MAX 20000  // of them, evenly chosen
#define BOUNDS_MARGIN 0.04       // of the longest side

void render_view_begin(render_studio *studio) {
  for (int k = 0; k < 3; ++k)
    studio->view_low[k] = (double)INFINITY, studio->view_high[k] = (double)-INFINITY;
}

static void include(render_studio *studio, int axis, double low, double high) {
  APP_ASSERT(axis >= 0 && axis < 3);
  studio->view_low[axis] = fmin(studio->view_low[axis], low);
  studio->view_high[axis] = fmax(studio->view_high[axis], high);
}

static void include_take(render_studio *studio) {
  const render_take *take = &studio->take;
  const double *x = take->meshed ? take->surface.mesh.vertex : take->position;
  size_t all = take->meshed ? take->surface.mesh.vertices : take->count, step = all / BOUNDS_POINTS_MAX + 1;
  size_t count = (all + step - 1) / step, out = (size_t)(LEFT_OUT * (double)count);
  if (count == 0) return;
  double *along = input_take(count, sizeof *along), half = 0.5 * studio->spacing;
  for (size_t axis = 0; axis < 3; ++axis) {
    for (size_t i = 0; i < count; ++i) along[i] = x[3 * i * step + axis];
    sort_numbers(along, count);
    include(studio, (int)axis, along[out] - half, along[count - 1 - out] + half);
  }
  free(along);
}

// Colliders that end outside of the domain are part of the surroundings.
static void include_mesh(render_studio *studio, const mote_preview_mesh *m, bool body) {
  double low[3], high[3];
  for (int k = 0; k < 3; ++k) low[k] = (double)INFINITY, high[k] = (double)-INFINITY;
  for (size_t v = 0; v < m->mesh.vertices; ++v) {
    double at[3];
    backdrop_place(m->pose, m->mesh.vertex + 3 * v, at);
    for (int k = 0; k < 3; ++k) low[k] = fmin(low[k], at[k]), high[k] = fmax(high[k], at[k]);
  }
  bool inside = m->mesh.triangles > 0;
  for (int k = 0; k < 3 && !body; ++k) {
    double margin = 0.05 * (studio->high[k] - studio->low[k]);
    inside = inside && low[k] >= studio->low[k] - margin && high[k] <= studio->high[k] + margin;
  }
  for (int k = 0; inside && k < 3; ++k) include(studio, k, low[k], high[k]);
}

bool render_view_include(render_studio *studio) {
  include_take(studio);
  if (!studio->staged) return true;
  double time = isnan(studio->take.time) ? 0 : studio->take.time;
  backdrop_set(&studio->stage, time);
  if (!backdrop_read_bodies(&studio->stage, &studio->bodies, studio->shots->directory, time)) return false;
  size_t first = backdrop_first_body(&studio->stage);
  for (size_t k = 0; k < studio->stage.meshes; ++k) include_mesh(studio, &studio->stage.mesh[k], k >= first);
  return true;
}

void render_view_end(render_studio *studio) {
  APP_ASSERT(studio->options != NULL);
  bool whole = studio->options->whole;
  double longest = 0;
  for (int k = 0; k < 3; ++k) longest = fmax(longest, studio->view_high[k] - studio->view_low[k]);
  for (int k = 0; k < 3; ++k) {
    double low = fmax(studio->view_low[k] - BOUNDS_MARGIN * longest, studio->low[k]);
    double high = fmin(studio->view_high[k] + BOUNDS_MARGIN * longest, studio->high[k]);
    bool known = low < high && !whole;
    studio->view_low[k] = known ? low : studio->low[k], studio->view_high[k] = known ? high : studio->high[k];
  }
  for (size_t m = 0; m < studio->withs; ++m)
    include_mesh(studio, &(mote_preview_mesh){.mesh = studio->with[m].surface.mesh}, true);
}

// --- Previews that follow ---

bool render_view_follow(render_studio *studio) {
  const render_options *o = studio->options;
  const mote_scene *scene = studio->shots->scene;
  char path[PATH_CAPACITY];
  if (scene == NULL || !studio->quick || o->whole || o->turntable > 0 || !domain_is_open(&scene->world))
    return true;
  snprintf(path, sizeof path, "%s/" ACTION_TABLE, studio->shots->directory);
  if (access(path, F_OK) != 0) return true;  // the run made no pictures
  studio->followed = run_table_read(path, ACTION_COLUMNS, &studio->followed_rows);
  return studio->followed != NULL;
}

void render_view_at(const render_studio *studio, double time, double low[3], double high[3]) {
  action_view view = {.frames = 0};
  double frame = render_frame_seconds(studio);
  for (size_t k = 0; k < studio->followed_rows; ++k) {
    const double *row = studio->followed + ACTION_COLUMNS * k;
    if (view.frames > 0 && row[0] > time + 0.5 * frame) break;
    action_view_add(&view, row + 1, row + 4);
  }
  if (view.frames > 0) action_view_box(&view, &studio->shots->scene->world, low, high);
}
