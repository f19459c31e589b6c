// Farthest-point sampling and supports: see deform_space.h.
#include "deform/deform_space.h"

#include <math.h>
#include <mote/numeric.h>
#include <stdlib.h>
#include <string.h>

#include "deform/deform_march.h"
#include "geom/mesh_parts.h"
#include "geom/triple.h"

#define CELLS_PER_SPACING 8.0  // of the grid per node spacing: marched distances to 2 %
#define CELLS_LEAST 4.0        // for many nodes
#define FINE_NODES 300.0       // more nodes have coarser grids, of as many points
#define PART_NODES 8.0         // a part with fewer nodes by its volume follows the others
#define OPEN_SHARE 0.05        // of the grid lines may end inside: small holes
#define FIRST_REACH 2.5        // spacings: how far nodes are looked for at first
#define LEAST_NEAR 10          // nodes in reach of a sample, at least
#define SUPPORT_MARGIN 1.02    // of supports beyond the node that must be in reach

// --- Grid -----------------------------------------------------------------------------------------------

static double cells_of(double nodes) {
  double cells = nodes > FINE_NODES ? CELLS_PER_SPACING * mote_cbrt(FINE_NODES / nodes) : CELLS_PER_SPACING;
  return max2(cells, CELLS_LEAST);
}

// Parts of the inside that are too small for nodes of their own are taken away: what they hold follows the
// nearest part that is left.
static mote_result remove_small(mote_deform_space *s, mote_arena *own, mote_error *error) {
  mote_deform_grid *g = &s->grid;
  size_t n = g->count;
  uint32_t parts, kept = 0;
  MOTE_TAKE_NEW(uint32_t, part, own, n, error);
  uint32_t *size;
  MOTE_TAKE_NEW(uint8_t, removed, own, n, error);
  MOTE_TRY(mote_deform_grid_parts(g, part, &parts, own, error));
  MOTE_TAKE(size, own, parts, error);
  memset(size, 0, parts * sizeof *size);
  for (size_t i = 0; i < n; ++i) ++size[part[i]];
  for (size_t i = 0; i < n; ++i) {
    removed[i] = (double)size[part[i]] * s->nodes < PART_NODES * (double)n;
    kept += !removed[i];
  }
  if (kept == n) return MOTE_OK;
  s->euclidean = 2 * (size_t)kept < n;
  if (!s->euclidean) mote_deform_grid_remove(g, removed, part);
  return MOTE_OK;
}

static mote_result make_grid(mote_deform_space *s, const mote_deform_def *def, const mote_mesh *mesh,
                             mote_arena *memory, mote_error *error) {
  double volume = fabs(mote_mesh_volume(mesh)), low[3], high[3];
  if (def->thickness > 0.0) {
    volume = 0.0;
    for (size_t t = 0; t < mesh->triangles; ++t) volume += mote_mesh_area(mesh, t) * def->thickness;
  }
  mote_mesh_bounds(mesh, low, high);
  double size = distance3(low, high);
  if (!(volume > 1e-12 * size * size * size)) return mote_fail_key(error, "mesh", "has no volume");
  s->spacing = mote_cbrt(volume / (double)s->nodes);
  double cell = s->spacing / cells_of((double)s->nodes);
  for (int attempt = 0; attempt < 4; ++attempt, cell *= 0.6) {
    mote_arena_mark mark = mote_arena_here(memory);
    MOTE_TRY(mote_deform_grid_make(mesh, def->thickness, cell, memory, &s->grid, error));
    if (s->grid.unbalanced > OPEN_SHARE)
      return mote_fail_key(error, "mesh", "is open; give it a thickness, or close it");
    if (s->grid.count >= 4 * (size_t)s->samples) return MOTE_OK;
    mote_arena_release(memory, mark);
  }
  return mote_fail_key(error, "nodes", "%u do not fit into the mesh", s->nodes);
}

// --- Farthest points --------------------------------------------------------------------------------------

typedef struct farthest {
  mote_deform_space *space;
  mote_deform_march march;
  double *distance;  // of each grid point from all samples so far
} farthest;

static uint32_t farthest_point(const farthest *f) {
  uint32_t found = 0;
  double most = -1.0;
  for (uint32_t i = 0; i < f->space->grid.count; ++i)
    if (f->distance[i] > most) most = f->distance[i], found = i;
  return found;
}

static void lower_straight(farthest *f, uint32_t source, uint32_t sample) {
  const mote_deform_grid *g = &f->space->grid;
  for (uint32_t i = 0; i < g->count; ++i) {
    double d[3];
    for (int k = 0; k < 3; ++k) d[k] = g->cell * (g->at[i][k] - g->at[source][k]);
    double length = length3(d);
    if (length < f->distance[i]) f->distance[i] = length, f->space->nearest[i] = sample;
  }
}

static void lower_from(farthest *f, uint32_t source, uint32_t sample) {
  if (f->space->euclidean) {
    lower_straight(f, source, sample);
    return;
  }
  mote_deform_march_run(&f->march, source, HUGE_VAL, f->distance);
  for (uint32_t k = 0; k < f->march.count; ++k) {
    uint32_t i = f->march.reached[k];
    f->distance[i] = f->march.value[i], f->space->nearest[i] = sample;
  }
}

// The first is the farthest from the middle of all.
static uint32_t first_point(farthest *f) {
  const mote_deform_grid *g = &f->space->grid;
  double sum[3] = {0}, x[3];
  for (uint32_t i = 0; i < g->count; ++i) {
    mote_deform_grid_place(g, i, x);
    step3(sum, 1.0 / g->count, x, sum);
  }
  uint32_t middle = mote_deform_grid_anchor(g, sum, NULL), found = middle;
  double most = 0.0;
  mote_deform_march_run(&f->march, middle, HUGE_VAL, NULL);
  for (uint32_t k = 0; k < f->march.count; ++k) {
    uint32_t i = f->march.reached[k];
    if (f->march.value[i] > most) most = f->march.value[i], found = i;
  }
  return found;
}

static void sample_points(farthest *f) {
  mote_deform_space *s = f->space;
  for (uint32_t i = 0; i < s->grid.count; ++i) f->distance[i] = HUGE_VAL;
  for (uint32_t k = 0; k < s->samples; ++k) {
    s->point[k] = k == 0 ? first_point(f) : farthest_point(f);
    lower_from(f, s->point[k], k);
  }
  for (uint32_t k = 0; k < s->samples; ++k) s->share[k] = 0.0;
  for (uint32_t i = 0; i < s->grid.count; ++i) s->share[s->nearest[i]] += 1.0;
  for (uint32_t k = 0; k < s->samples; ++k) s->share[k] /= (double)s->grid.count;
  for (uint32_t a = 0; a < s->nodes; ++a) mote_deform_grid_place(&s->grid, s->point[a], s->node[a]);
}

// --- Supports ---------------------------------------------------------------------------------------------

// A node and its distance from a sample.
typedef struct reach {
  double distance;
  uint32_t node, sample;
} reach;

typedef struct reaches {
  reach *list;
  size_t count, capacity;
} reaches;

static int by_distance(const void *left, const void *right) {
  const reach *a = left, *b = right;
  if (a->distance != b->distance) return a->distance < b->distance ? -1 : 1;
  if (a->sample != b->sample) return a->sample < b->sample ? -1 : 1;
  return (a->node > b->node) - (a->node < b->node);
}

static mote_result gather_reaches(farthest *f, double farthest_distance, const uint32_t *sample_of,
                                  const mote_env *env, reaches *out, mote_error *error) {
  const mote_deform_space *s = f->space;
  out->count = 0;
  for (uint32_t a = 0; a < s->nodes; ++a) {
    if (!s->euclidean) mote_deform_march_run(&f->march, s->point[a], farthest_distance, NULL);
    MOTE_TRY(
        mote_reserve(env, &out->list, &out->capacity, out->count + s->samples, sizeof *out->list, error));
    for (uint32_t k = 0; s->euclidean && k < s->samples; ++k) {
      double x[3], d;
      mote_deform_grid_place(&s->grid, s->point[k], x);
      d = distance3(x, s->node[a]);
      if (d <= farthest_distance) out->list[out->count++] = (reach){d, a, k};
    }
    for (uint32_t k = 0; !s->euclidean && k < f->march.count; ++k) {
      uint32_t i = f->march.reached[k];
      if (sample_of[i] != MOTE_DEFORM_NONE)
        out->list[out->count++] = (reach){f->march.value[i], a, sample_of[i]};
    }
  }
  return MOTE_OK;
}

// The support with which samples have so many neighbours on average; larger for nodes that are among the
// nearest few of a sample that is farther. `number`: how many each sample has within the range.
static bool set_supports(mote_deform_space *s, reaches *r, double neighbours, size_t least,
                         uint32_t *number) {
  size_t wanted = (size_t)(neighbours * s->samples);
  if (wanted > r->count) return false;
  qsort(r->list, r->count, sizeof *r->list, by_distance);
  double h = SUPPORT_MARGIN * r->list[wanted - 1].distance;
  for (uint32_t a = 0; a < s->nodes; ++a) s->support[a] = h;
  memset(number, 0, s->samples * sizeof *number);
  for (size_t k = 0; k < r->count; ++k) {
    const reach *e = r->list + k;
    if (number[e->sample]++ >= least) continue;
    s->support[e->node] = max2(s->support[e->node], SUPPORT_MARGIN * e->distance);
  }
  return true;
}

// The reaches of each sample, behind one another.
typedef struct sample_rows {
  uint32_t *first;
  reach *entry;
  double *length;  // of a path to each node, and whether its end is taken: scratch
  uint32_t *met;
} sample_rows;

static mote_result sort_rows(const mote_deform_space *s, const reaches *r, mote_arena *own, sample_rows *out,
                             mote_error *error) {
  MOTE_TAKE(out->first, own, s->samples + 2, error);
  MOTE_TAKE(out->entry, own, r->count, error);
  MOTE_TAKE(out->length, own, s->nodes, error);
  MOTE_TAKE(out->met, own, s->nodes, error);
  memset(out->first, 0, (s->samples + 2) * sizeof *out->first);
  for (size_t k = 0; k < r->count; ++k) ++out->first[r->list[k].sample + 2];
  for (uint32_t k = 1; k < s->samples + 2; ++k) out->first[k] += out->first[k - 1];
  for (size_t k = 0; k < r->count; ++k) out->entry[out->first[r->list[k].sample + 1]++] = r->list[k];
  for (uint32_t a = 0; a < s->nodes; ++a) out->length[a] = HUGE_VAL;
  return MOTE_OK;
}

// A sample of a thin part has too few nodes within the range: the next ones by shortest paths from node to
// node, as nodes are samples too. False where the paths end before.
static bool complete_sample(mote_deform_space *s, sample_rows *rows, uint32_t sample, size_t least) {
  size_t met = 0, taken = 0;
  double before = 0.0;
  for (uint32_t from = sample; taken < least; ++taken) {
    for (uint32_t k = rows->first[from]; k < rows->first[from + 1]; ++k) {
      const reach *e = rows->entry + k;
      double length = before + e->distance;
      if (rows->length[e->node] == HUGE_VAL) rows->met[met++] = e->node;
      if (length < fabs(rows->length[e->node])) rows->length[e->node] = length;
    }
    uint32_t next = MOTE_DEFORM_NONE;
    for (size_t k = 0; k < met; ++k) {
      double length = rows->length[rows->met[k]];
      if (length < 0.0) continue;  // taken
      if (next == MOTE_DEFORM_NONE || length < rows->length[next] ||
          (length == rows->length[next] && rows->met[k] < next))
        next = rows->met[k];
    }
    if (next == MOTE_DEFORM_NONE) break;
    before = rows->length[next], from = next;
    s->support[next] = max2(s->support[next], SUPPORT_MARGIN * before);
    rows->length[next] = -before - 1e-300;
  }
  for (size_t k = 0; k < met; ++k) rows->length[rows->met[k]] = HUGE_VAL;
  return taken == least;
}

// Those of nodes that samples with too few others need.
static mote_result complete_samples(mote_deform_space *s, const reaches *r, size_t least,
                                    const uint32_t *number, mote_arena *own, bool *found, mote_error *error) {
  sample_rows rows;
  mote_arena_mark mark = mote_arena_here(own);
  MOTE_TRY(sort_rows(s, r, own, &rows, error));
  for (uint32_t k = 0; *found && k < s->samples; ++k)
    if (number[k] < least) *found = !s->euclidean && complete_sample(s, &rows, k, least);
  mote_arena_release(own, mark);
  return MOTE_OK;
}

static mote_result find_supports(farthest *f, double neighbours, mote_arena *own, mote_error *error) {
  mote_deform_space *s = f->space;
  reaches r = {0};
  mote_env env = own->env;
  size_t least = LEAST_NEAR < s->nodes ? LEAST_NEAR : s->nodes;
  MOTE_TAKE_NEW(uint32_t, sample_of, own, s->grid.count, error);
  MOTE_TAKE_NEW(uint32_t, number, own, s->samples, error);
  for (uint32_t i = 0; i < s->grid.count; ++i) sample_of[i] = MOTE_DEFORM_NONE;
  for (uint32_t k = 0; k < s->samples; ++k) sample_of[s->point[k]] = k;
  mote_result result = MOTE_OK;
  bool found = false;
  for (double range = FIRST_REACH * s->spacing; result == MOTE_OK && !found && range < 1e3 * s->spacing;
       range *= 1.5) {
    result = gather_reaches(f, range, sample_of, &env, &r, error);
    found = result == MOTE_OK && set_supports(s, &r, neighbours, least, number);
    if (found) result = complete_samples(s, &r, least, number, own, &found, error);
  }
  mote_free(&env, r.list, r.capacity, sizeof *r.list);
  if (result == MOTE_OK && !found) return mote_fail_key(error, "nodes", "are too few for parts of the mesh");
  return result;
}

// --- Making -----------------------------------------------------------------------------------------------

static mote_result make(mote_deform_space *s, const mote_deform_def *def, const mote_mesh *mesh,
                        mote_arena *memory, mote_arena *own, mote_error *error) {
  MOTE_TRY(make_grid(s, def, mesh, memory, error));
  MOTE_TRY(remove_small(s, own, error));
  size_t points = s->grid.count, samples = s->samples;
  farthest f = {.space = s};
  MOTE_TAKE(s->point, memory, samples, error);
  MOTE_TAKE(s->share, memory, samples, error);
  MOTE_TAKE(s->node, memory, s->nodes, error);
  MOTE_TAKE(s->support, memory, s->nodes, error);
  MOTE_TAKE(s->nearest, memory, points, error);
  MOTE_TAKE(f.distance, own, points, error);
  MOTE_TRY(mote_deform_march_make(&s->grid, own, &f.march, error));
  sample_points(&f);
  return find_supports(&f, def->neighbours, own, error);
}

mote_result mote_deform_space_make(const mote_deform_def *def, const mote_mesh *mesh, mote_arena *memory,
                                   mote_deform_space *out, mote_error *error) {
  *out = (mote_deform_space){.nodes = (uint32_t)def->nodes,
                             .samples = (uint32_t)def->nodes * (uint32_t)def->samples};
  mote_arena own = mote_arena_make(&memory->env);
  mote_result result = make(out, def, mesh, memory, &own, error);
  mote_arena_destroy(&own);
  return result;
}
