// Files of fragments: GLB read back has every triangle once, normals that face outward, and names; other
// formats have the field.
#include <math.h>
#include <mote/io.h>
#include <mote/mote.h>
#include <mote/render.h>
#include <stdlib.h>

#include "test.h"

static mote_fragments *make_halves(mote_shape **shape) {
  static const double square[18] = {-2, 0.1, -2, 2, 0.1, -2, 2, 0.1, 2, -2, 0.1, -2, 2, 0.1, 2, -2, 0.1, 2};
  mote_shape_def ball = mote_shape_def_sphere(0, 0, 0, 1);
  mote_fragments_def def = mote_fragments_def_default();
  mote_fragments *halves = NULL;
  CHECK(mote_shape_create(&ball, 3, NULL, shape, NULL) == MOTE_OK);
  def.shape = *shape, def.edge = 0.2;
  CHECK(mote_fragments_create(&def, NULL, &halves, NULL) == MOTE_OK);
  CHECK(mote_fragments_cut(halves, square, 2, NULL) == MOTE_OK);
  return halves;
}

static void test_glb(const mote_fragments_view *view) {
  const char *path = "glb_fragments_test.glb";
  mote_mesh back;
  CHECK(mote_fragments_write(view, NULL, path, NULL) == MOTE_OK);
  CHECK(mote_mesh_read(path, NULL, &back, NULL) == MOTE_OK);
  CHECK(back.triangles == view->mesh.triangles && back.vertices == view->mesh.vertices);
  mote_mesh_report report;
  CHECK(mote_mesh_examine(&back, NULL, &report, NULL) == MOTE_OK);
  CHECK(report.open_edges == 0 && report.crowded_edges == 0 && report.parts == 2);
  CHECK_NEAR(mote_mesh_volume(&back), mote_mesh_volume(&view->mesh), 1e-6);
  mote_mesh_free(&back, NULL);
  FILE *file = fopen(path, "rb");
  static char text[4096];
  size_t size = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
  if (file != NULL) fclose(file);
  for (size_t k = 0; k < size; ++k)
    if (text[k] == 0) text[k] = ' ';
  CHECK(strstr(text, "{\"name\":\"fragment_0000\",\"mesh\":0},{\"name\":\"fragment_0001\",\"mesh\":1}") !=
        NULL);
  CHECK(strstr(text, "\"name\":\"wall\"") != NULL && strstr(text, "fragment_0002") == NULL);
  remove(path);
}

static void test_field(const mote_fragments_view *view) {
  const char *path = "glb_fragments_test.ply";
  mote_surface back;
  size_t of[2] = {0, 0};
  CHECK(mote_fragments_write(view, NULL, path, NULL) == MOTE_OK);
  CHECK(mote_surface_read(path, NULL, &back, NULL, NULL) == MOTE_OK);
  CHECK(back.mesh.vertices == view->mesh.vertices && back.fields == 1);
  CHECK_TEXT(back.field[0].name, "fragment");
  for (size_t v = 0; v < back.mesh.vertices; ++v) {
    size_t f = (size_t)mote_field_value(&back.field[0], v, 0);
    if (CHECK(f < 2)) ++of[f];
    CHECK((back.mesh.vertex[3 * v + 1] < 0.1) == (f == 0) ||
          fabs(back.mesh.vertex[3 * v + 1] - 0.1) < 0.1);  // half an edge
  }
  CHECK(of[0] > of[1] && of[1] > 0);
  mote_surface_free(&back, NULL);
  remove(path);
}

// Texture coordinates and colours of the outer surface.
static void test_look(mote_fragments_view view) {
  const char *path[2] = {"glb_fragments_look.glb", "glb_fragments_look.ply"};
  size_t n = view.mesh.vertices;
  float *uv = malloc(2 * n * sizeof *uv);
  uint8_t *colour = malloc(4 * n);
  for (size_t v = 0; v < n; ++v) {
    const double *x = view.mesh.vertex + 3 * v;
    uv[2 * v] = (float)x[0], uv[2 * v + 1] = (float)x[2];
    for (size_t c = 0; c < 4; ++c) colour[4 * v + c] = c == 3 ? 255 : (uint8_t)(127.5 * (1.0 + 0.9 * x[c]));
  }
  view.uv = uv, view.colour = colour;
  mote_surface back;
  CHECK(mote_fragments_write(&view, NULL, path[1], NULL) == MOTE_OK);
  CHECK(mote_surface_read(path[1], NULL, &back, NULL, NULL) == MOTE_OK);
  const mote_field_view *at = &back.field[1], *shade = &back.field[2];
  CHECK(back.mesh.vertices == n && back.fields == 3);
  CHECK_TEXT(at->name, "uv");
  CHECK_TEXT(shade->name, "colour");
  for (size_t v = 0; v < n && back.fields == 3; ++v) {
    for (int c = 0; c < 3; ++c) CHECK(mote_field_value(shade, v, c) == colour[4 * v + (size_t)c]);
    CHECK_NEAR(mote_field_value(at, v, 0), back.mesh.vertex[3 * v], 1e-6);
    CHECK_NEAR(mote_field_value(at, v, 1), 1.0 - back.mesh.vertex[3 * v + 2], 1e-6);  // upwards
  }
  mote_surface_free(&back, NULL);
  CHECK(mote_fragments_write(&view, NULL, path[0], NULL) == MOTE_OK);
  mote_texture texture;
  CHECK(mote_texture_read_uv(path[0], NULL, &texture, NULL) == MOTE_OK);
  CHECK(mote_surface_read(path[0], NULL, &back, NULL, NULL) == MOTE_OK);
  CHECK(texture.triangles == view.mesh.triangles && texture.images == 0);
  size_t outer = 0, seen = 0;
  for (size_t t = 0; t < view.mesh.triangles; ++t) outer += view.wall[t] == 0;
  for (size_t t = 0; t < texture.triangles; ++t) {
    if (texture.image_of[t] == MOTE_TEXTURE_NONE) continue;
    ++seen;
    for (size_t c = 0; c < 3; ++c)
      CHECK_NEAR((double)texture.uv[6 * t + 2 * c],
                 back.mesh.vertex[3 * (size_t)back.mesh.triangle[3 * t + c]], 1e-6);
  }
  CHECK(seen == outer);
  mote_surface_free(&back, NULL);
  mote_texture_free(&texture, NULL);
  remove(path[0]), remove(path[1]);
  free(uv), free(colour);
}

int main(void) {
  mote_shape *shape = NULL;
  mote_fragments *halves = make_halves(&shape);
  mote_fragments_view view = mote_fragments_look(halves), none = {.fragments = 0};
  CHECK(view.fragments == 2);
  test_glb(&view);
  test_field(&view);
  test_look(view);
  CHECK(mote_fragments_write(&none, NULL, "x.glb", NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_fragments_write(NULL, NULL, "x.glb", NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_fragments_write(&view, NULL, "x.unknown", NULL) == MOTE_ERROR_ARGUMENT);
  mote_fragments_destroy(halves);
  mote_shape_destroy(shape);
  return test_end();
}
