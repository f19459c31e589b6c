// Breaks the figure into pieces and draws them apart: a closed mesh for each, in one GLB file.
//   cc shatter.c -lmote-io -lmote -lm && ./a.out pieces.glb
#include <math.h>
#include <mote/io.h>
#include <mote/mote.h>
#include <stdio.h>
#include <stdlib.h>

static int fail(const mote_error *error) {
  fprintf(stderr, "shatter: %s: %s\n", error->key, error->text);
  return 1;
}

// Moves every piece away from the middle by a third of its distance from it.
static void draw_apart(const mote_fragments_view *view, double *vertex) {
  double *sum = calloc(4 * view->fragments, sizeof *sum);
  uint32_t *fragment = calloc(view->mesh.vertices, sizeof *fragment);
  for (size_t k = 0; k < 3 * view->mesh.triangles; ++k)
    fragment[view->mesh.triangle[k]] = view->fragment[k / 3];
  for (size_t v = 0; v < view->mesh.vertices; ++v) {
    for (size_t k = 0; k < 3; ++k) sum[4 * fragment[v] + k] += view->mesh.vertex[3 * v + k];
    sum[4 * fragment[v] + 3] += 1.0;
  }
  for (size_t v = 0; v < view->mesh.vertices; ++v)
    for (size_t k = 0; k < 3; ++k)
      vertex[3 * v + k] =
          view->mesh.vertex[3 * v + k] + sum[4 * fragment[v] + k] / sum[4 * fragment[v] + 3] / 3.0;
  free(sum), free(fragment);
}

int main(int argc, char **argv) {
  mote_error error = {0};
  mote_shape_def figure = mote_shape_def_default();
  figure.kind = MOTE_SHAPE_FIGURE, figure.radius = 0.5;
  mote_shape *shape;
  if (mote_shape_create(&figure, 3, NULL, &shape, &error) != MOTE_OK) return fail(&error);

  mote_shatter_def how = mote_shatter_def_default();
  mote_soup soup;
  how.pieces = 30;
  if (mote_shatter(shape, &how, NULL, &soup, &error) != MOTE_OK) return fail(&error);

  mote_fragments_def def = mote_fragments_def_default();
  mote_fragments *fragments;
  def.shape = shape;
  if (mote_fragments_create(&def, NULL, &fragments, &error) != MOTE_OK) return fail(&error);
  if (mote_fragments_cut(fragments, soup.corner, soup.count, &error) != MOTE_OK) return fail(&error);
  mote_simplify_def few = mote_simplify_def_default();
  if (mote_fragments_simplify(fragments, &few, &error) != MOTE_OK) return fail(&error);

  mote_fragments_view view = mote_fragments_look(fragments);
  double *vertex = malloc(3 * view.mesh.vertices * sizeof *vertex);
  printf("%zu pieces, %zu triangles\n", view.fragments, view.mesh.triangles);
  draw_apart(&view, vertex);
  view.mesh.vertex = vertex;
  if (argc > 1 && mote_fragments_write(&view, NULL, argv[1], &error) != MOTE_OK) return fail(&error);

  free(vertex);
  mote_fragments_destroy(fragments);
  mote_soup_free(&soup, NULL);
  mote_shape_destroy(shape);
  return 0;
}
