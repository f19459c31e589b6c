// Meshes that are not clean: seams, holes, sheets, doubled triangles, parts that cross. See
// docs/theory/shapes.md, "Meshes as they are".
#include <float.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "geom/mesh_weld.h"
#include "geom/tri_cross.h"
#include "geom/triple.h"

// Of the diagonal of the mesh: what is nearer than this is at the same place. Coordinates of four-byte
// numbers and of files with seven digits differ by less.
#define SAME_PLACE (8 * (double)FLT_EPSILON)

static double tolerance_of(const mote_mesh *mesh) {
  double low[3], high[3], most = 0.0;
  mote_mesh_bounds(mesh, low, high);
  for (int k = 0; k < 3; ++k) most = max2(most, max2(fabs(low[k]), fabs(high[k])));
  return max2(SAME_PLACE * distance3(low, high), 1e-12 * most);
}

// --- Triangles at the same place ---------------------------------------------------------------------------

typedef struct corner_key {
  uint32_t low, middle, high, triangle;
  bool odd;  // the corners are an odd permutation of those in order
} corner_key;

static int compare_keys(const void *left, const void *right) {
  const corner_key *a = left, *b = right;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  if (a->middle != b->middle) return a->middle < b->middle ? -1 : 1;
  if (a->high != b->high) return a->high < b->high ? -1 : 1;
  return a->triangle < b->triangle ? -1 : a->triangle > b->triangle;
}

static corner_key key_of(const mote_mesh *mesh, size_t t) {
  const uint32_t *v = mesh->triangle + 3 * t;
  int first = v[1] < v[0] ? 1 : 0;
  first = v[2] < v[first] ? 2 : first;
  uint32_t b = v[(first + 1) % 3], c = v[(first + 2) % 3];
  return (corner_key){v[first], b < c ? b : c, b < c ? c : b, (uint32_t)t, b > c};
}

static bool same_corners(const corner_key *a, const corner_key *b) {
  return a->low == b->low && a->middle == b->middle && a->high == b->high;
}

// Of triangles with the same corners those that look both ways cancel; of the others the first stays. Where
// all cancel (a mesh with both sides) the first of each stays. keep: by triangle. Returns how many go.
static size_t choose_single(const corner_key *key, size_t count, bool *keep) {
  size_t kept = 0;
  for (int both = 0; both < 2 && kept == 0; ++both) {
    for (size_t k = 0, run; k < count; k += run) {
      long sense = 0;
      for (run = 0; k + run < count && same_corners(key + k, key + k + run); ++run) {
        sense += key[k + run].odd ? -1 : 1;
        keep[key[k + run].triangle] = false;
      }
      for (size_t l = k; l < k + run; ++l) {
        if (!(both ? l == k : sense != 0 && key[l].odd == (sense < 0))) continue;
        keep[key[l].triangle] = true, ++kept;
        break;
      }
    }
  }
  return count - kept;
}

static mote_result drop_doubled(mote_mesh *mesh, const mote_env *env, size_t *doubled, mote_error *error) {
  size_t n = mesh->triangles;
  corner_key *key = mote_alloc(env, n, sizeof *key);
  bool *keep = mote_alloc(env, n, sizeof *keep);
  mote_result result = key && keep ? MOTE_OK : mote_fail_memory(error, n * sizeof *key);
  *doubled = 0;
  if (result == MOTE_OK) {
    for (size_t t = 0; t < n; ++t) key[t] = key_of(mesh, t);
    qsort(key, n, sizeof *key, compare_keys);
    *doubled = choose_single(key, n, keep);
  }
  if (result == MOTE_OK && *doubled > 0) {
    uint32_t *triangle = mote_alloc(env, n - *doubled, 3 * sizeof *triangle);
    size_t kept = 0;
    if (!triangle) result = mote_fail_memory(error, n * 3 * sizeof *triangle);
    for (size_t t = 0; t < n && result == MOTE_OK; ++t) {
      for (int k = 0; k < 3 && keep[t]; ++k) triangle[3 * kept + k] = mesh->triangle[3 * t + k];
      kept += keep[t];
    }
    if (result == MOTE_OK) {
      mote_free(env, mesh->triangle, n, 3 * sizeof *triangle);
      mesh->triangle = triangle, mesh->triangles = kept;
    }
  }
  mote_free(env, key, n, sizeof *key);
  mote_free(env, keep, n, sizeof *keep);
  return result;
}

// --- Edges and parts ---------------------------------------------------------------------------------------

typedef struct open_edges {
  const uint32_t *part;  // null: they are only counted
  bool *open;            // of parts
  size_t count, crowded;
} open_edges;

static void note_open(void *data, const mote_mesh_edge *a, const mote_mesh_edge *b, size_t run) {
  open_edges *o = data;
  o->crowded += run > 2;
  if (b != NULL) return;
  ++o->count;
  if (o->part) o->open[o->part[a->triangle]] = true;
}

static mote_result count_open(const mote_mesh *mesh, const mote_env *env, open_edges *out,
                              mote_error *error) {
  mote_mesh_edges edges;
  MOTE_TRY(mote_mesh_edges_create(mesh, env, &edges, error));
  mote_mesh_edges_pair(&edges, note_open, out);
  mote_mesh_edges_destroy(&edges);
  return MOTE_OK;
}

typedef struct mending {
  mote_mesh mesh;
  const mote_env *env;
  double tolerance;
  mote_mesh_mending *done;
} mending;

// What is done with the parts of the mesh; flag: two for each part.
typedef mote_result parts_fn(mending *m, const mote_mesh_parts *parts, bool *crosses, bool *open,
                             mote_error *error);

static mote_result with_parts(mending *m, parts_fn *act, mote_error *error) {
  mote_mesh_edges edges;
  mote_mesh_parts parts;
  MOTE_TRY(mote_mesh_edges_create(&m->mesh, m->env, &edges, error));
  mote_result result = mote_mesh_parts_create(&m->mesh, &edges, m->env, &parts, error);
  if (result == MOTE_OK) {
    bool *flag = mote_alloc(m->env, parts.count, 2 * sizeof *flag);
    result = flag ? mote_mesh_parts_check(&parts, error) : mote_fail_memory(error, 2 * parts.count);
    if (result == MOTE_OK) {
      for (size_t p = 0; p < 2 * parts.count; ++p) flag[p] = false;
      open_edges o = {.part = parts.part, .open = flag + parts.count};
      mote_mesh_edges_pair(&edges, note_open, &o);
      result = act(m, &parts, flag, flag + parts.count, error);
    }
    mote_free(m->env, flag, parts.count, 2 * sizeof *flag);
    mote_mesh_parts_destroy(&parts);
  }
  mote_mesh_edges_destroy(&edges);
  return result;
}

static mote_result turn(mending *m, const mote_mesh_parts *parts, bool *crosses, bool *open,
                        mote_error *error) {
  MOTE_TRY(mote_mesh_mark_parts(&m->mesh, parts->part, m->tolerance, m->env, crosses, error));
  for (size_t p = 0; p < parts->count; ++p) m->done->crossing += crosses[p];
  return mote_mesh_turn_parts(&m->mesh, parts, crosses, open, m->env, &m->done->turned, error);
}

static mote_result drop_sheets(mending *m, const mote_mesh_parts *parts, bool *crosses, bool *open,
                               mote_error *error) {
  (void)crosses;
  bool any = false;
  for (size_t p = 0; p < parts->count; ++p) any = any || open[p];
  if (!any) return MOTE_OK;
  return mote_mesh_drop_sheets(&m->mesh, parts, open, m->tolerance, m->env, &m->done->sheets, error);
}

// --- All of it ---------------------------------------------------------------------------------------------

static mote_result fail_sheet(const mending *m, size_t open, mote_error *error) {
  return mote_fail(error, MOTE_ERROR_ARGUMENT,
                   "the mesh has no inside: it is %s with %zu open edges. Give it a thickness, or close it",
                   m->done->sheets > 1 ? "of sheets" : "a sheet", open);
}

static mote_result unite(mending *m, mote_error *error) {
  mote_mesh outer;
  MOTE_TRY(mote_mesh_unite(&m->mesh, m->tolerance, m->env, &outer, error));
  mote_mesh_free(&m->mesh, m->env);
  m->mesh = outer;
  if (outer.triangles > 0) return MOTE_OK;
  return mote_fail(error, MOTE_ERROR_ARGUMENT,
                   "the mesh has no inside: none of its triangles has one behind it");
}

// before: of the mesh whose vertices are merged where they are at the same place exactly.
static mote_result mend(mending *m, const open_edges *before, mote_error *error) {
  open_edges after = {0};
  mote_crossings crossings;
  MOTE_TRY(drop_doubled(&m->mesh, m->env, &m->done->doubled, error));
  MOTE_TRY(count_open(&m->mesh, m->env, &after, error));
  m->done->welded = before->count > after.count ? before->count - after.count : 0;
  MOTE_TRY(with_parts(m, turn, error));
  MOTE_TRY(mote_mesh_close_holes(&m->mesh, m->env, &m->done->holes, error));
  MOTE_TRY(with_parts(m, drop_sheets, error));
  if (m->mesh.triangles == 0) return fail_sheet(m, after.count, error);
  MOTE_TRY(mote_mesh_flip_flat(&m->mesh, m->env, error));
  after = (open_edges){0};
  MOTE_TRY(count_open(&m->mesh, m->env, &after, error));
  m->done->open = after.count;
  MOTE_TRY(mote_mesh_crossings(&m->mesh, m->env, &crossings, error));
  m->done->united = crossings.count > 0 || before->crowded > 0;
  if (m->done->united) return unite(m, error);
  m->done->exact = after.count + after.crowded == 0;
  return MOTE_OK;
}

mote_result mote_mesh_mend(const mote_mesh *mesh, const mote_env *env, mote_mesh *out,
                           mote_mesh_mending *mending_out, mote_error *error) {
  MOTE_ASSERT(mesh->triangles > 0 && out != NULL && mending_out != NULL);
  mending m = {.env = env, .tolerance = tolerance_of(mesh), .done = mending_out};
  *mending_out = (mote_mesh_mending){0};
  if (!(m.tolerance > 0.0)) return mote_fail(error, MOTE_ERROR_ARGUMENT, "the mesh is a point");
  // An exact weld first tells seams within the tolerance from vertices that files repeat.
  open_edges before = {0};
  MOTE_TRY(mote_mesh_weld(mesh, env, &m.mesh, error));
  mote_result result = m.mesh.triangles > 0 ? count_open(&m.mesh, env, &before, error)
                                            : mote_fail(error, MOTE_ERROR_ARGUMENT,
                                                        "all triangles of the mesh are points or lines");
  mote_mesh_free(&m.mesh, env);
  if (result == MOTE_OK) result = mote_mesh_weld_rims(mesh, m.tolerance, env, &m.mesh, error);
  if (result == MOTE_OK && m.mesh.triangles > 0) result = mend(&m, &before, error);
  if (result == MOTE_OK && m.mesh.triangles > 0) {
    *out = m.mesh;
    return MOTE_OK;
  }
  mote_mesh_free(&m.mesh, env);
  return result != MOTE_OK ? result : mote_fail(error, MOTE_ERROR_ARGUMENT, "the mesh has no triangles");
}

// --- In words ----------------------------------------------------------------------------------------------

static void add_text(char *text, size_t size, const char *more) {
  size_t used = 0;
  while (used + 1 < size && text[used]) ++used;
  snprintf(text + used, size - used, "%s%s", used ? ", " : "", more);
}

static void add_words(char *text, size_t size, size_t count, const char *before, const char *one,
                      const char *many) {
  char more[96];
  snprintf(more, sizeof more, "%s%zu %s", before, count, count == 1 ? one : many);
  if (count > 0) add_text(text, size, more);
}

void mote_mesh_mending_text(const mote_mesh_mending *m, char *text, size_t size) {
  MOTE_ASSERT(m != NULL && text != NULL && size > 0);
  text[0] = 0;
  add_words(text, size, m->welded, "welded ", "open edge", "open edges");
  add_words(text, size, m->doubled, "left out ", "doubled triangle", "doubled triangles");
  add_words(text, size, m->holes, "closed ", "small hole", "small holes");
  add_words(text, size, m->sheets, "left out ", "part without inside", "parts without inside");
  add_words(text, size, m->crossing, "", "part crosses others: united", "parts cross: united");
  if (m->united && m->crossing == 0) add_text(text, size, "triangles touch or cross: united");
  add_words(text, size, m->turned, "turned ", "triangle", "triangles");
  add_words(text, size, m->open, "", "edge stays open", "edges stay open");
}
