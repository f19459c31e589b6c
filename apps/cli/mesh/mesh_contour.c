// Contours of 2D particles as files: see mesh_contour.h.
#include "cli/mesh/mesh_contour.h"

#include <string.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"
#include "cli/files/input_file.h"

bool contour_writes(const char *path) {
  return contour_holds_fields(path) || input_ends(path, "svg") || input_ends(path, "png");
}

bool contour_holds_fields(const char *path) {
  return input_ends(path, "csv") || input_ends(path, "vtp");
}

// The caps of the surface, which is one spacing thick, are the area.
static mote_result write_picture(const mote_surface *surface, const mote_stamp *stamp, const char *path,
                                 int width, int height, const mote_env *env, mote_error *error) {
  mote_preview_def def = mote_preview_def_default();
  mote_preview_scene scene = mote_preview_scene_default();
  mote_preview_mesh area = {.mesh = surface->mesh, .colour = {74, 144, 200, 255}};
  mote_image *image;
  def.width = width, def.height = height, def.flat = true;
  scene.mesh = &area, scene.meshes = 1, scene.time = stamp->time;
  mote_result result = mote_preview_draw(&def, &scene, env, &image, error);
  if (result != MOTE_OK) return result;
  result = mote_image_write(image, path, error);
  mote_image_destroy(image);
  return result;
}

int contour_write(const mote_surface *surface, const mote_surface_particles *particles,
                  const mote_stamp *stamp, const char *path, int width, int height, const mote_env *env,
                  mote_contour *out) {
  APP_ASSERT(contour_writes(path));
  mote_error error = {0};
  mote_result result = MOTE_OK;
  if (mote_surface_cut(surface, 0.0, env, out, &error) != MOTE_OK) return complain_error(&error);
  if (contour_holds_fields(path)) result = mote_contour_carry(out, particles, stamp->spacing, env, &error);
  if (result == MOTE_OK)
    result = input_ends(path, "png") ? write_picture(surface, stamp, path, width, height, env, &error)
                                     : mote_contour_write(out, stamp, path, &error);
  if (result == MOTE_OK) return EXIT_DONE;
  mote_contour_free(out, env);
  return complain_error(&error);
}
