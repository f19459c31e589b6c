// Pieces as `mote shatter` makes them of a pot of 1,120 triangles at its defaults. docs/theory/fragments.md
#include <math.h>
#include <mote/mote.h>

#include "validate/fracture/pot_mesh.h"
#include "validate/validate.h"

#define PIECES_ASKED 20
#define GRID_EDGES 64           // of the grid along the longest side: the default
#define TRIANGLES_MOST 60000.0  // at most
#define OFFSET_MOST 0.1         // at most from the pot's surface, edges

typedef struct pot_pieces {
  mote_mesh mesh;
  mote_shape *shape;
  mote_fragments *pieces;
} pot_pieces;

static mote_result break_pot(pot_pieces *p, const mote_env *env, mote_error *error) {
  mote_shape_def shape = mote_shape_def_default();
  mote_fragments_def def = mote_fragments_def_default();
  mote_shatter_def how = mote_shatter_def_default();
  mote_simplify_def simple = mote_simplify_def_default();
  mote_soup soup = {0};
  shape.kind = MOTE_SHAPE_MESH, shape.mesh = p->mesh, how.pieces = PIECES_ASKED;
  mote_result result = mote_shape_create(&shape, 3, env, &p->shape, error);
  def.shape = p->shape;
  if (result == MOTE_OK) result = mote_fragments_create(&def, env, &p->pieces, error);
  if (result == MOTE_OK) result = mote_shatter(p->shape, &how, env, &soup, error);
  if (result == MOTE_OK) result = mote_fragments_cut(p->pieces, soup.corner, soup.count, error);
  mote_soup_free(&soup, env);
  if (result == MOTE_OK) result = mote_fragments_sharpen(p->pieces, error);
  if (result == MOTE_OK) result = mote_fragments_simplify(p->pieces, &simple, error);
  return result;
}

// The largest distance from the shape to points of the outer triangles, a third of an edge apart.
static double farthest(const pot_pieces *p, double edge) {
  mote_fragments_view view = mote_fragments_look(p->pieces);
  double most = 0.0;
  for (size_t t = 0; t < view.mesh.triangles; ++t) {
    const double *x[3];
    double longest = 0.0;
    if (view.wall[t]) continue;
    for (int k = 0; k < 3; ++k) x[k] = view.mesh.vertex + 3 * (size_t)view.mesh.triangle[3 * t + (size_t)k];
    for (int k = 0; k < 9; ++k) longest = fmax(longest, fabs(x[k / 3][k % 3] - x[(k / 3 + 1) % 3][k % 3]));
    int parts = 2 + (int)(3.0 * longest / edge);
    for (int i = 0; i <= parts; ++i)
      for (int j = 0; i + j <= parts; ++j) {
        double at[3];
        for (int a = 0; a < 3; ++a) at[a] = (i * x[0][a] + j * x[1][a] + (parts - i - j) * x[2][a]) / parts;
        most = fmax(most, fabs(mote_shape_distance(p->shape, at)));
      }
  }
  return most;
}

// What is wrong with the meshes of all pieces.
static mote_result examine(const pot_pieces *p, const mote_env *env, mote_mesh_report *sum,
                           mote_error *error) {
  mote_fragments_view view = mote_fragments_look(p->pieces);
  mote_result result = MOTE_OK;
  *sum = (mote_mesh_report){0};
  for (uint32_t f = 0; f < view.fragments && result == MOTE_OK; ++f) {
    mote_mesh one;
    mote_mesh_report report = {0};
    result = mote_fragments_take(p->pieces, f, env, &one, error);
    if (result != MOTE_OK) return result;
    result = mote_mesh_examine(&one, env, &report, error);
    mote_mesh_free(&one, env);
    sum->open_edges += report.open_edges + report.crowded_edges + report.flipped_edges;
    sum->pinched_vertices += report.pinched_vertices, sum->crossings += report.crossings;
    sum->volume += report.volume;
  }
  return result;
}

static void report(validation *v, const pot_pieces *p, const mote_mesh_report *sum, double exact) {
  mote_fragments_view view = mote_fragments_look(p->pieces);
  double edge = POT_HEIGHT / GRID_EDGES;
  validation_show(v, "pieces of the pot", (double)view.fragments, PIECES_ASKED, "about");
  validation_near(v, "triangles", (double)view.mesh.triangles, 0.0, TRIANGLES_MOST, "at most 60,000");
  validation_near(v, "edges not once each way", (double)sum->open_edges, 0.0, 0.0, "closed");
  validation_near(v, "vertices with several fans", (double)sum->pinched_vertices, 0.0, 0.0, "manifold");
  validation_near(v, "pairs of triangles that cross", (double)sum->crossings, 0.0, 0.0, "none cross");
  validation_near(v, "outer surface off the pot's, edges", farthest(p, edge) / edge, 0.0, OFFSET_MOST,
                  "at most a tenth");
  validation_near(v, "volume over the pot's", sum->volume / exact, 1.0, 1e-3, "the mesh");
}

void validate_pieces_simplified(validation *v) {
  if (validation_quick(v)) {
    validation_skip(v, "without --quick only");
    return;
  }
  const mote_env *env = validation_env(v);
  pot_pieces p = {0};
  mote_mesh_report sum;
  mote_error error = {.text = "out of memory"};
  double exact;
  mote_result result = pot_mesh_make(&p.mesh) ? MOTE_OK : MOTE_ERROR_MEMORY;
  if (result == MOTE_OK) result = break_pot(&p, env, &error);
  if (result == MOTE_OK) result = examine(&p, env, &sum, &error);
  if (result == MOTE_OK) result = mote_shape_volume(p.shape, &exact, &error);
  if (result == MOTE_OK) {
    report(v, &p, &sum, exact);
  } else {
    validation_error(v, &error);
  }
  mote_fragments_destroy(p.pieces);
  mote_shape_destroy(p.shape);
  pot_mesh_free(&p.mesh);
}
