// Meshes as data of a page: see view_mesh.h.
#include "cli/view/view_mesh.h"

#include <math.h>
#include <mote/io.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/files/input_file.h"

view_box view_box_empty(void) {
  return (view_box){{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
}

void view_box_take(view_box *box, const double x[3]) {
  for (int a = 0; a < 3; ++a) box->low[a] = fmin(box->low[a], x[a]), box->high[a] = fmax(box->high[a], x[a]);
}

static void add_triangles(view_text *out, const mote_mesh *mesh) {
  view_add_text(out, "\"");
  view_add_base64(out, mesh->triangle, 3 * mesh->triangles * sizeof *mesh->triangle);
  view_add_text(out, "\"");
}

void view_add_mesh(view_text *out, const mote_mesh *mesh) {
  float *vertex = input_take(3 * mesh->vertices + 1, sizeof *vertex);
  for (size_t c = 0; c < 3 * mesh->vertices; ++c) vertex[c] = (float)mesh->vertex[c];
  view_add_text(out, "\"vertices\":\"");
  view_add_base64(out, vertex, 3 * mesh->vertices * sizeof *vertex);
  view_add_text(out, "\",\"triangles\":");
  add_triangles(out, mesh);
  free(vertex);
}

void view_add_moving(view_text *out, const view_box *box, const mote_mesh *mesh, bool same_triangles) {
  uint16_t *vertex = input_take(3 * mesh->vertices + 1, sizeof *vertex);
  for (size_t c = 0; c < 3 * mesh->vertices; ++c) {
    double size = fmax(box->high[c % 3] - box->low[c % 3], 1e-300);
    vertex[c] = (uint16_t)lround(65535.0 * fmin(fmax((mesh->vertex[c] - box->low[c % 3]) / size, 0.0), 1.0));
  }
  view_add_text(out, "{\"v\":\"");
  view_add_base64(out, vertex, 3 * mesh->vertices * sizeof *vertex);
  view_add_text(out, same_triangles ? "\"" : "\",\"t\":");
  if (!same_triangles) add_triangles(out, mesh);
  view_add_text(out, "}");
  free(vertex);
}

int view_meshes(int count, char **path, const mote_env *env, view_text *out) {
  view_box box = view_box_empty();
  view_add_text(out, "{\"kind\":\"mesh\",\"title\":");
  view_add_quoted(out, path[0], strlen(path[0]));
  view_add_text(out, ",\"fps\":25,\"dimensions\":3,\"spacing\":1,\"frames\":");
  view_add_number(out, count);
  view_add_text(out, ",\"meshes\":[");
  for (int k = 0; k < count; ++k) {
    mote_mesh mesh;
    mote_error error;
    if (mote_mesh_read(path[k], env, &mesh, &error) != MOTE_OK) return complain_error(&error);
    for (size_t v = 0; v < mesh.vertices; ++v) view_box_take(&box, mesh.vertex + 3 * v);
    view_add_text(out, k == 0 ? "{" : ",{");
    view_add_mesh(out, &mesh);
    view_add_text(out, "}");
    mote_mesh_free(&mesh, env);
  }
  view_add_text(out, "]");
  view_add_numbers(out, "low", box.low, 3);
  view_add_numbers(out, "high", box.high, 3);
  view_add_text(out, "}");
  return EXIT_DONE;
}
