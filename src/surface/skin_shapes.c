// Selection of the particles that move a vertex: see skin_shapes.h. Those within the support that are
// connected to the particle nearest to the vertex: a slit is not bridged.
#include "surface/skin_shapes.h"

#include <math.h>
#include <mote/numeric.h>
#include <mote/search.h>
#include <string.h>

#include "approx/mls_point.h"
#include "base/bisect.h"
#include "base/parallel.h"
#include "elastic/elastic_body.h"
#include "geom/triple.h"

#define VERTICES_PER_CHUNK 256

typedef struct making {
  const mote_elastic_skin_def *def;
  const mote_elastic *body;
  mote_skin_shapes *out;
  const mote_lists *lists;
  const mote_mls *mls;
  uint32_t *neighbour;  // the lists without particles across a slit, at the same offsets
  uint8_t *lost;        // vertices with too few particles in reach
  size_t longest;       // longest list, a multiple of 4: size of a worker's scratch
  mote_mls_group *groups;
  double *scratch;
} making;

// --- Across a slit ------------------------------------------------------------------------------------

static double square_between(const making *m, const double *a, const double *b) {
  double x = a[0] - b[0], y = a[1] - b[1], z = m->body->dimensions == 3 ? a[2] - b[2] : 0.0;
  return x * x + y * y + z * z;
}

static uint32_t nearest_of(const making *m, const double *x, const uint32_t *neighbour, uint32_t number) {
  double least = HUGE_VAL;
  uint32_t found = number > 0 ? neighbour[0] : 0;
  for (uint32_t k = 0; k < number; ++k) {
    double square = square_between(m, x, m->def->position + 3 * (size_t)neighbour[k]);
    if (square < least) least = square, found = neighbour[k];
  }
  return found;
}

static bool is_neighbour(const mote_elastic *b, uint32_t i, uint32_t j) {
  const uint32_t *neighbour = b->neighbour + b->first[i];
  size_t count = b->first[i + 1] - b->first[i], at = mote_bisect(neighbour, count, j);
  return at < count && neighbour[at] == j;
}

static bool share_neighbour(const mote_elastic *b, uint32_t i, uint32_t j) {
  size_t p = b->first[i], q = b->first[j];
  while (p < b->first[i + 1] && q < b->first[j + 1]) {
    if (b->neighbour[p] == b->neighbour[q]) return true;
    if (b->neighbour[p] < b->neighbour[q]) {
      ++p;
    } else {
      ++q;
    }
  }
  return false;
}

// Whether two particles are connected: neighbours, or too far apart for that with a common neighbour.
static bool are_connected(const making *m, uint32_t i, uint32_t j) {
  const mote_elastic *b = m->body;
  if (i == j || is_neighbour(b, i, j)) return true;
  double square = square_between(m, m->def->position + 3 * (size_t)i, m->def->position + 3 * (size_t)j);
  for (size_t k = b->first[i]; k < b->first[i + 1]; ++k)
    if (dot3(b->pair[k].rest, b->pair[k].rest) >= square) return false;
  return share_neighbour(b, i, j);
}

static void choose_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const making *m = data;
  for (size_t i = begin; i < end; ++i) {
    size_t at = m->lists->first[i], kept = 0;
    uint32_t number = m->lists->number[i];
    const uint32_t *all = m->lists->index + at;
    uint32_t nearest = nearest_of(m, m->def->vertex + 3 * i, all, number);
    for (uint32_t k = 0; k < number; ++k)
      if (are_connected(m, nearest, all[k])) m->neighbour[at + kept++] = all[k];
    m->out->first[i + 1] = kept;
  }
}

// --- Shape functions ----------------------------------------------------------------------------------

static void shape_chunk(void *data, size_t begin, size_t end, int worker) {
  const making *m = data;
  const mote_skin_shapes *out = m->out;
  size_t numbers = (size_t)out->numbers, w = (size_t)worker;
  int needed = m->def->kind == MOTE_SKIN_SHAPES ? 1 + m->body->dimensions : 1;
  mote_mls_point_out to = {.value = m->scratch + 4 * m->longest * w};
  if (numbers > 1) to.gradient = to.value + m->longest;
  for (size_t i = begin; i < end; ++i) {
    mote_mls_fit fit;
    size_t first = out->first[i], number = out->first[i + 1] - first;
    const uint32_t *neighbour = m->neighbour + m->lists->first[i];
    bool good = mote_mls_point_shapes(m->mls, m->def->vertex + 3 * i, neighbour, (uint32_t)number,
                                      m->groups + w * (m->longest / MOTE_MLS_LANES + 1), to, &fit);
    m->lost[i] = !good || fit.rank < needed;
    memcpy(out->index + first, neighbour, number * sizeof *neighbour);
    for (size_t k = 0; k < number; ++k) {
      float *value = out->value + numbers * (first + k);
      value[0] = (float)to.value[k];
      if (numbers == 2) value[1] = (float)dot3(to.gradient + 3 * k, m->def->normal + 3 * i);
      for (size_t axis = 0; axis < 3 && numbers == 4; ++axis)
        value[1 + axis] = (float)to.gradient[3 * k + axis];
    }
  }
}

// Reports how many vertices are lost, and how far the farthest of them is from the nearest particle.
static mote_result report_lost(const making *m, size_t count, mote_error *error) {
  mote_kdtree *tree;
  MOTE_TRY(
      mote_kdtree_create(m->body->dimensions, m->def->position, m->body->count, &m->body->env, &tree, error));
  double most = -1.0;
  size_t farthest = 0;
  for (size_t i = 0; i < m->def->count; ++i) {
    uint32_t nearest;
    double square = 0.0;
    if (m->lost[i]) mote_kdtree_nearest(tree, m->def->vertex + 3 * i, 1, &nearest, &square);
    if (m->lost[i] && square > most) most = square, farthest = i;
  }
  mote_kdtree_destroy(tree);
  return mote_fail(error, MOTE_ERROR_ARGUMENT,
                   "skin: %zu of %zu vertices have too few particles within reach (%g m); the farthest, "
                   "vertex %zu, is %.3g m from the nearest particle",
                   count, m->def->count, m->def->support, farthest, sqrt(most));
}

// --- Creation ----------------------------------------------------------------------------------------

static mote_result make_entries(making *m, mote_arena *memory, mote_arena *own, mote_error *error) {
  mote_skin_shapes *out = m->out;
  size_t count = m->def->count, workers = (size_t)m->body->env.threads;
  MOTE_TAKE(out->first, memory, count + 1, error);
  MOTE_TAKE(m->neighbour, own, m->lists->first[count], error);
  MOTE_TAKE(m->lost, own, count, error);
  MOTE_TAKE(m->scratch, own, 4 * m->longest * workers, error);
  MOTE_TAKE(m->groups, own, (m->longest / MOTE_MLS_LANES + 1) * workers, error);
  mote_parallel_for(m->body->env.threads, count, VERTICES_PER_CHUNK, choose_chunk, m);
  out->first[0] = 0;
  for (size_t i = 0; i < count; ++i) out->first[i + 1] += out->first[i];
  size_t entries = out->first[count];
  MOTE_TAKE(out->index, memory, entries, error);
  MOTE_TAKE(out->value, memory, (size_t)out->numbers * entries, error);
  mote_parallel_for(m->body->env.threads, count, VERTICES_PER_CHUNK, shape_chunk, m);
  size_t lost = 0;
  for (size_t i = 0; i < count; ++i) lost += m->lost[i];
  return lost == 0 ? MOTE_OK : report_lost(m, lost, error);
}

// In a graded body every particle reaches as many of its own spacings as the smallest. *out: null where all
// have the same size.
static mote_result make_radii(const mote_elastic_skin_def *def, mote_arena *own, double **out,
                              mote_error *error) {
  const mote_elastic *b = def->body;
  double least = b->rest_volume[0], most = b->rest_volume[0];
  for (size_t i = 1; i < b->count; ++i)
    least = min2(least, b->rest_volume[i]), most = max2(most, b->rest_volume[i]);
  *out = NULL;
  if (!(most > least)) return MOTE_OK;
  MOTE_TAKE(*out, own, b->count, error);
  for (size_t i = 0; i < b->count; ++i) {
    double times = b->rest_volume[i] / least;
    (*out)[i] = def->support * (b->dimensions == 2 ? sqrt(times) : mote_cbrt(times));
  }
  return MOTE_OK;
}

static mote_result make_shapes(const mote_elastic_skin_def *def, mote_arena *memory, mote_arena *own,
                               mote_skin_shapes *out, mote_error *error) {
  const mote_env *env = &def->body->env;
  bool sloped = def->kind == MOTE_SKIN_SHAPES && def->normal != NULL;
  mote_mls_def mls_def = mote_mls_def_default();
  mls_def.domain = mote_domain_open(def->body->dimensions);
  mls_def.order = def->kind == MOTE_SKIN_SHAPES ? 1 : 0;
  mls_def.kernel = MOTE_KERNEL_POLY6;
  mls_def.position = def->position, mls_def.count = def->body->count;
  mls_def.uniform_radius = def->support;
  double *radius;
  MOTE_TRY(make_radii(def, own, &radius, error));
  mls_def.radius = radius;
  mote_mls *mls;
  mote_mls_search search;
  *out = (mote_skin_shapes){.numbers = !sloped ? 1 : def->fast_normals ? 2 : 4};
  MOTE_TRY(mote_mls_create(&mls_def, env, &mls, error));
  mote_result result = mote_mls_search_make(mls, def->vertex, def->count, env, &search, error);
  if (result == MOTE_OK) {
    making m = {.def = def, .body = def->body, .out = out, .lists = &search.lists, .mls = mls};
    m.longest = (search.longest + MOTE_MLS_LANES) / MOTE_MLS_LANES * MOTE_MLS_LANES;
    result = make_entries(&m, memory, own, error);
    mote_grid_destroy(search.grid);
  }
  mote_mls_destroy(mls);
  return result;
}

mote_result mote_skin_shapes_make(const mote_elastic_skin_def *def, mote_arena *memory, mote_skin_shapes *out,
                                  mote_error *error) {
  MOTE_ASSERT(def->body != NULL && memory != NULL && out != NULL);
  mote_arena own = mote_arena_make(&def->body->env);
  mote_result result = make_shapes(def, memory, &own, out, error);
  mote_arena_destroy(&own);
  return result;
}
