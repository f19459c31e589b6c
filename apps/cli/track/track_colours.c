// Colours of the materials: see track_colours.h.
#include "cli/track/track_colours.h"

#include <math.h>
#include <mote/search.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "cli/bodies/backdrop.h"
#include "cli/files/input_file.h"

static const mote_field_view *find_colour(const mote_surface *s) {
  for (int k = 0; k < s->fields; ++k)
    if (strcmp(s->field[k].name, "colour") == 0) return &s->field[k];
  return NULL;
}

static void fill(const mote_surface *s, const mote_scene *scene, const track_frame *frame,
                 const mote_kdtree *tree, double *colour) {
  APP_ASSERT(frame->count > 0 && frame->body != NULL);
  const double *was = find_colour(s) != NULL ? find_colour(s)->data : NULL;
  for (size_t v = 0; v < s->mesh.vertices; ++v) {
    uint32_t near;
    double squared;
    if (was != NULL && !isnan(was[3 * v])) {
      memcpy(colour + 3 * v, was + 3 * v, 3 * sizeof *colour);
    } else if (mote_kdtree_nearest(tree, s->mesh.vertex + 3 * v, 1, &near, &squared) == 1) {
      const mote_material_def *material = backdrop_material(scene, frame->body[near]);
      for (size_t c = 0; c < 3; ++c) colour[3 * v + c] = material != NULL ? material->colour[c] : 0.5;
    }
  }
}

mote_result track_colours_fill(mote_tracked *tracked, const mote_scene *scene, const track_frame *frame,
                               const mote_env *env, mote_error *error) {
  mote_surface s;
  mote_kdtree *tree = NULL;
  mote_result result = mote_tracked_surface(tracked, &s, error);
  if (result != MOTE_OK) return result;
  double *colour = input_take(3 * s.mesh.vertices + 3, sizeof *colour);
  result = mote_kdtree_create(3, frame->position, frame->count, env, &tree, error);
  if (result == MOTE_OK) {
    fill(&s, scene, frame, tree, colour);
    result = mote_tracked_set_field(tracked, "colour", "1", 3, colour, error);
    mote_kdtree_destroy(tree);
  }
  free(colour);
  mote_surface_free(&s, env);
  return result;
}
