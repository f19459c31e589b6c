// Pictures of meshes side by side: see deform_picture.h.
#include "figures/deform_picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/files/input_file.h"

enum { PANEL_WIDTH = 640, PANEL_HEIGHT = 460 };

deform_picture deform_picture_make(void) {
  return (deform_picture){.panels = 0};
}

void deform_picture_free(deform_picture *picture) {
  for (size_t p = 0; p < picture->panels; ++p)
    for (size_t k = 0; k < picture->panel[p].meshes; ++k)
      free(picture->panel[p].mesh[k].mesh.vertex), free(picture->panel[p].mesh[k].mesh.triangle);
  *picture = (deform_picture){.panels = 0};
}

void deform_picture_begin(deform_picture *picture, const char *title) {
  if (picture->panels == PICTURE_PANELS) return;
  picture_panel *panel = &picture->panel[picture->panels++];
  *panel = (picture_panel){.meshes = 0};
  snprintf(panel->title, sizeof panel->title, "%s", title);
}

void deform_picture_add(deform_picture *picture, const mote_mesh *mesh, const double *vertex,
                        mote_colour colour) {
  picture_panel *panel = &picture->panel[picture->panels - 1];
  if (panel->meshes == PICTURE_MESHES || mesh->triangles == 0) return;
  mote_preview_mesh *own = &panel->mesh[panel->meshes++];
  *own = (mote_preview_mesh){.mesh = *mesh, .colour = colour};
  own->mesh.vertex = input_take(3 * mesh->vertices, sizeof *mesh->vertex);
  own->mesh.triangle = input_take(3 * mesh->triangles, sizeof *mesh->triangle);
  memcpy(own->mesh.vertex, vertex != NULL ? vertex : mesh->vertex, 3 * mesh->vertices * sizeof *mesh->vertex);
  memcpy(own->mesh.triangle, mesh->triangle, 3 * mesh->triangles * sizeof *mesh->triangle);
}

// All panels show the bounds of all meshes.
static void find_bounds(const deform_picture *picture, mote_preview_def *def) {
  for (int c = 0; c < 3; ++c) def->low[c] = (double)INFINITY, def->high[c] = (double)-INFINITY;
  for (size_t p = 0; p < picture->panels; ++p)
    for (size_t k = 0; k < picture->panel[p].meshes; ++k) {
      const mote_mesh *mesh = &picture->panel[p].mesh[k].mesh;
      for (size_t v = 0; v < 3 * mesh->vertices; ++v) {
        def->low[v % 3] = fmin(def->low[v % 3], mesh->vertex[v]);
        def->high[v % 3] = fmax(def->high[v % 3], mesh->vertex[v]);
      }
    }
}

static void paste(mote_image *into, mote_image *from, int left, int top) {
  int width = mote_image_width(from), all = mote_image_width(into);
  for (int y = 0; y < mote_image_height(from); ++y)
    memcpy(mote_image_pixels(into) + 4 * ((size_t)(top + y) * (size_t)all + (size_t)left),
           mote_image_pixels(from) + 4 * (size_t)y * (size_t)width, 4 * (size_t)width);
}

static mote_result draw_panels(const deform_picture *picture, size_t columns, mote_image *into,
                               mote_error *error) {
  mote_preview_def def = mote_preview_def_default();
  def.width = PANEL_WIDTH, def.height = PANEL_HEIGHT;
  find_bounds(picture, &def);
  for (size_t p = 0; p < picture->panels; ++p) {
    mote_preview_scene scene = mote_preview_scene_default();
    mote_image *image = NULL;
    scene.mesh = picture->panel[p].mesh, scene.meshes = picture->panel[p].meshes;
    scene.title = picture->panel[p].title;
    mote_result result = mote_preview_draw(&def, &scene, NULL, &image, error);
    if (result != MOTE_OK) return result;
    paste(into, image, (int)(p % columns) * PANEL_WIDTH, (int)(p / columns) * PANEL_HEIGHT);
    mote_image_destroy(image);
  }
  return MOTE_OK;
}

int deform_picture_write(const deform_picture *picture, const char *directory, const char *name) {
  mote_image *image = NULL;
  mote_error error = {0};
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.png", directory, name);
  size_t columns = picture->panels > 3 ? 2 : picture->panels,
         rows = (picture->panels + columns - 1) / columns;
  mote_result result =
      mote_image_create((int)columns * PANEL_WIDTH, (int)rows * PANEL_HEIGHT, NULL, &image, &error);
  if (result == MOTE_OK) result = draw_panels(picture, columns, image, &error);
  if (result == MOTE_OK) result = mote_image_write(image, path, &error);
  mote_image_destroy(image);
  if (result != MOTE_OK) return complain_error(&error);
  printf("wrote %s\n", path);
  return EXIT_DONE;
}
