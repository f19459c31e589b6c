// Fuzzes what becomes of meshes that are read: mending them into solids, distances to these, and deforming
// them by two handles: half of the inputs, since that takes most of the time.
#include <math.h>
#include <mote/deform.h>
#include <mote/geom.h>
#include <stdlib.h>

#include "solid_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEADER = 4 };

static void check_mended(const mote_mesh *mesh, const mote_env *env) {
  mote_mesh mended;
  mote_mesh_mending done;
  mote_error error = {0};
  char text[256];
  if (mote_mesh_repair(mesh, env, &mended, &done, &error) != MOTE_OK) {
    if (error.text[0] == 0) abort();
    return;
  }
  mote_mesh_mending_text(&done, text, sizeof text);
  for (size_t k = 0; k < 3 * mended.triangles; ++k)
    if (mended.triangle[k] >= mended.vertices) abort();
  if (mended.triangles == 0 || !isfinite(mote_mesh_volume(&mended))) abort();
  mote_mesh_free(&mended, env);
}

static void check_distance(const mote_mesh *mesh, const mote_env *env) {
  mote_shape_def def = mote_shape_def_default();
  mote_shape *shape = NULL;
  mote_error error = {0};
  def.kind = MOTE_SHAPE_MESH, def.mesh = *mesh;
  if (mote_shape_create(&def, 3, env, &shape, &error) != MOTE_OK) {
    if (error.text[0] == 0) abort();
    return;
  }
  for (int k = 0; k < 8; ++k) {
    const double x[3] = {4.0 * (k & 1) + 0.3, 4.0 * (k >> 1 & 1) + 0.3, 4.0 * (k >> 2 & 1) + 0.3};
    if (!isfinite(mote_shape_distance(shape, x))) abort();
  }
  mote_shape_destroy(shape);
}

static void check_moved(mote_deform *d, const mote_mesh *mesh, double move) {
  mote_deform_handle handle[2];
  mote_error error = {0};
  mote_deform_report report;
  mote_deform_mesh_report measured;
  uint32_t row[2] = {0, (uint32_t)mesh->vertices - 1};
  mote_pose pose = {.rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .move = {move, 0.5 * move, 0}};
  mote_deform_solve_opts opts = mote_deform_solve_opts_default();
  double *x = malloc(3 * mesh->vertices * sizeof *x);
  if (x == NULL) abort();
  opts.iterations = 4;
  for (int k = 0; k < 2; ++k)
    if (mote_deform_add_region(d, row + k, 1, handle + k, &error) != MOTE_OK) abort();
  if (mote_deform_set_pose(d, handle[1], &pose, &error) != MOTE_OK) abort();
  if (mote_deform_solve(d, &opts, &report, &error) == MOTE_OK) {
    if (!(report.least_determinant > 0.0)) abort();
    if (mote_deform_read(d, x, NULL, &error) != MOTE_OK) abort();
    if (mote_deform_measure(d, x, &measured, &error) != MOTE_OK) abort();
    for (size_t k = 0; k < 3 * mesh->vertices; ++k)
      if (!isfinite(x[k])) abort();
    mote_deform_pushed_through(d, handle[1]);
  }
  free(x);
}

static void check_deform(const mote_mesh *mesh, const uint8_t header[HEADER], const mote_env *env) {
  mote_deform_def def = mote_deform_def_default();
  mote_deform *d = NULL;
  mote_error error = {0};
  def.mesh = *mesh, def.nodes = 8 + header[0] % 24u, def.samples = 1 + header[1] % 4;
  def.ties = header[2] & 1, def.thickness = header[2] & 2 ? 0.4 : 0.0;
  if (mote_deform_create(&def, env, &d, &error) != MOTE_OK) {
    if (error.text[0] == 0) abort();
    return;
  }
  const mote_deform_tie *tie;
  size_t ties = mote_deform_ties(d, &tie);
  for (size_t k = 0; k < ties; ++k)
    if (tie[k].triangle[0] >= mesh->triangles || tie[k].triangle[1] >= mesh->triangles) abort();
  check_moved(d, mesh, 0.02 * header[3]);
  mote_deform_destroy(d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mote_env env = mote_env_default();
  uint8_t header[HEADER];
  mote_mesh mesh = solid_input(data, size, header, HEADER);
  env.threads = 1;
  check_mended(&mesh, &env);
  check_distance(&mesh, &env);
  if ((header[2] & 4) == 0) check_deform(&mesh, header, &env);
  return 0;
}
