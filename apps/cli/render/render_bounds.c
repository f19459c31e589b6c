// What the camera of a render takes in: where the contents of its frames are, not the domain, much of which
// may be empty. A few drops that fly out of the picture do not matter.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"
#include "cli/render/render_studio.h"

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

void render_place(const mote_pose *pose, const double v[3], double out[3]) {
  for (int k = 0; k < 3; ++k) {
    out[k] = pose == NULL ? v[k] : pose->pivot[k] + pose->move[k];
    for (int m = 0; pose != NULL && m < 3; ++m) out[k] += pose->rotation[3 * k + m] * (v[m] - pose->pivot[m]);
  }
}

// Colliders that end outside of the domain are part of the surroundings.
static void include_mesh(render_studio *studio, const mote_preview_mesh *m, bool body) {
  double low[3], high[3];
  for (int k = 0; k < 3; ++k) low[k] = (double)INFINITY, high[k] = (double)-INFINITY;
  for (size_t v = 0; v < m->mesh.vertices; ++v) {
    double at[3];
    render_place(m->pose, m->mesh.vertex + 3 * v, at);
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
