// Fuzzes the pieces of any mesh: cut by random walls or by its own triangles, with a gap and a focus, their
// edges sharpened, and simplified. Every piece must be closed and without crossings, whatever the mesh is.
#include <math.h>
#include <mote/fragments.h>
#include <stdlib.h>

#include "solid_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PIECES = 0, SEED, ROUGHNESS, EDGE, GAP, FOCUS, DEVIATION, FLAGS, HEADER };
enum { BY_ITSELF = 1, SHARPEN = 2, VALUES = 4, CUT_AGAIN = 8 };

#define EDGES_LEAST 5  // of the grid, along the longest mesh; an input takes some 10 ms
#define EDGES_MOST 12
#define VOLUME_CHANGE 2.6e-4  // by simplification, with room for rounding

// Lengths from 0 to `most`, and some that are none.
static double length_of(uint8_t byte, double most) {
  static const double odd[] = {-1.0, 1e300, 1e-300, (double)INFINITY, -(double)INFINITY, (double)NAN};
  size_t count = sizeof odd / sizeof *odd;
  return byte >= 256 - count ? odd[255 - byte] : most * byte / 249.0;
}

static void check_error(mote_result result, const mote_error *error) {
  if (result != MOTE_OK && error->text[0] == 0) abort();
}

static void check_piece(const mote_fragments *pieces, uint32_t fragment, const mote_env *env) {
  mote_mesh one;
  mote_mesh_report report;
  if (mote_fragments_take(pieces, fragment, env, &one, NULL) != MOTE_OK) abort();
  if (mote_mesh_examine(&one, env, &report, NULL) != MOTE_OK) abort();
  if (one.triangles < 4 || report.open_edges + report.crowded_edges + report.flipped_edges > 0) abort();
  if (report.pinched_vertices + report.crossings > 0 || !(report.volume > 0.0)) abort();
  mote_mesh_free(&one, env);
}

static double check_pieces(const mote_fragments *pieces, const mote_env *env) {
  mote_fragments_view view = mote_fragments_look(pieces);
  if (view.fragments == 0 || view.mesh.triangles == 0) abort();
  for (uint32_t f = 0; f < view.fragments; ++f) check_piece(pieces, f, env);
  return mote_mesh_volume(&view.mesh);
}

static mote_result cut(mote_fragments *pieces, const mote_shape *shape, const mote_mesh *mesh,
                       const uint8_t header[HEADER], const mote_env *env, mote_error *error) {
  static double corner[9 * INPUT_TRIANGLES_MAX];
  mote_shatter_def how = mote_shatter_def_default();
  mote_soup soup = {0};
  if (header[FLAGS] & BY_ITSELF) {
    for (size_t k = 0; k < 9 * mesh->triangles; ++k)
      corner[k] = mesh->vertex[3 * (size_t)mesh->triangle[k / 3] + (k + header[SEED]) % 3];
    return mote_fragments_cut(pieces, corner, mesh->triangles, error);
  }
  how.pieces = 2 + header[PIECES] % 8, how.seed = header[SEED], how.roughness = header[ROUGHNESS] / 255.0;
  for (int k = 0; k < 3 && header[FOCUS] > 0; ++k)
    how.focus[k] = length_of(header[FOCUS], INPUT_SIDE) * (k == header[FOCUS] % 3 ? 0.5 : 1.0);
  mote_result result = mote_shatter(shape, &how, env, &soup, error);
  if (result == MOTE_OK) result = mote_fragments_cut(pieces, soup.corner, soup.count, error);
  mote_soup_free(&soup, env);
  return result;
}

static void check_simplified(mote_fragments *pieces, const uint8_t header[HEADER], const mote_env *env) {
  mote_simplify_def def = mote_simplify_def_default();
  mote_error error = {0};
  double before = check_pieces(pieces, env);
  if (header[FLAGS] & SHARPEN) {
    if (mote_fragments_sharpen(pieces, &error) != MOTE_OK) abort();
    before = check_pieces(pieces, env);
  }
  mote_fragments_view view = mote_fragments_look(pieces);
  size_t triangles = view.mesh.triangles;
  float *value = malloc((view.mesh.vertices + 1) * sizeof *value);
  if (value == NULL) abort();
  for (size_t v = 0; v < view.mesh.vertices; ++v) value[v] = (float)sin(view.mesh.vertex[3 * v]);
  def.deviation = length_of(header[DEVIATION], INPUT_SIDE);
  if (header[FLAGS] & VALUES) def.value = value, def.values = 1;
  mote_result result = mote_fragments_simplify(pieces, &def, &error);
  check_error(result, &error);
  free(value);
  double change = check_pieces(pieces, env) / before - 1.0;
  if (mote_fragments_look(pieces).mesh.triangles > triangles) abort();
  if (!(fabs(change) < VOLUME_CHANGE)) abort();
}

static void check_shape(const mote_shape *shape, const mote_mesh *mesh, const uint8_t header[HEADER],
                        const mote_env *env) {
  mote_fragments_def def = mote_fragments_def_default();
  mote_fragments *pieces = NULL;
  mote_error error = {0};
  int edges = EDGES_LEAST + header[EDGE] % (EDGES_MOST - EDGES_LEAST);
  double edge = INPUT_SIDE / (double)edges;
  def.shape = shape, def.gap = length_of(header[GAP], edge);
  def.edge = header[EDGE] > 249 ? length_of(header[EDGE], 1.0) : edge;
  mote_result result = mote_fragments_create(&def, env, &pieces, &error);
  if (result == MOTE_OK) result = cut(pieces, shape, mesh, header, env, &error);
  if (result == MOTE_OK && (header[FLAGS] & CUT_AGAIN))
    result = cut(pieces, shape, mesh, header, env, &error);
  check_error(result, &error);
  if (result == MOTE_OK) check_simplified(pieces, header, env);
  mote_fragments_destroy(pieces);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mote_env env = mote_env_default();
  mote_shape_def def = mote_shape_def_default();
  mote_shape *shape = NULL;
  mote_error error = {0};
  uint8_t header[HEADER];
  env.threads = 1;
  def.kind = MOTE_SHAPE_MESH, def.mesh = solid_input(data, size, header, HEADER);
  mote_result result = mote_shape_create(&def, 3, &env, &shape, &error);
  check_error(result, &error);
  if (result == MOTE_OK) check_shape(shape, &def.mesh, header, &env);
  mote_shape_destroy(shape);
  return 0;
}
