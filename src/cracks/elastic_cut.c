// Cracks in an elastic body: see elastic_cut.h.
#include "cracks/elastic_cut.h"

#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "cracks/tuning.inc"
#include "elastic/elastic_change.h"
#include "elastic/elastic_support.h"
#include "geom/triple.h"

// --- The body before any crack ----------------------------------------------------------------------

static size_t kept_numbers(const mote_elastic *b) {
  return 2 + (size_t)(b->terms * b->terms + b->dimensions * b->dimensions);
}

// Copies the data derived from neighbours to `kept`, or back.
static void exchange_kept(const mote_elastic *b, double *kept, bool back) {
  size_t matrix = (size_t)(b->terms * b->terms), linear = (size_t)(b->dimensions * b->dimensions);
  double *array[4] = {b->spread, b->hourglass_stiffness, b->inverse, b->linear_inverse};
  size_t count[4] = {b->count, b->count, matrix * b->count, linear * b->count};
  for (int k = 0; k < 4; kept += count[k++])
    memcpy(back ? array[k] : kept, back ? kept : array[k], count[k] * sizeof *kept);
}

mote_result mote_elastic_cut_begin(mote_elastic_cut *cut, const mote_elastic *body, mote_error *error) {
  MOTE_ASSERT(cut->spacing > 0.0 && cut->transparency >= 0.0);
  MOTE_ASSERT(body->factor == NULL && !body->renewed);
  size_t numbers = kept_numbers(body) * body->count;
  cut->uncut = (mote_elastic_lists){0};
  MOTE_ALLOC(cut->kept, &body->env, numbers, error);
  exchange_kept(body, cut->kept, false);
  MOTE_TRY(mote_elastic_lists_reserve(&body->env, &cut->uncut, body->count, body->pairs, false,
                                      body->slopes > 0, error));
  mote_elastic_lists_copy(&body->lists, body->count, &cut->uncut);
  return MOTE_OK;
}

void mote_elastic_cut_end(mote_elastic_cut *cut, const mote_elastic *body) {
  mote_elastic_lists_free(&body->env, &cut->uncut);
  mote_free(&body->env, cut->kept, kept_numbers(body) * body->count, sizeof *cut->kept);
  cut->kept = NULL;
}

static mote_result restore(mote_elastic *b, const mote_elastic_cut *cut, mote_error *error) {
  if (b->factor == NULL && b->pairs == cut->uncut.pairs) return MOTE_OK;
  bool factors = b->factor != NULL;
  MOTE_TRY(mote_elastic_lists_reserve(&b->env, &b->lists, b->count, cut->uncut.pairs, factors, b->slopes > 0,
                                      error));
  mote_elastic_lists_copy(&cut->uncut, b->count, &b->lists);
  for (size_t k = 0; factors && k < b->lists.pairs; ++k) b->lists.factor[k] = 1.0;
  mote_elastic_use_lists(b);
  exchange_kept(b, cut->kept, true);
  return MOTE_OK;
}

// --- Affected particles -------------------------------------------------------------------

typedef struct recut_loop {
  const mote_elastic *body;
  const mote_elastic_def *def;
  mote_elastic_cut *cut;
  const mote_crack_sheets *cracks, *changed;
  double reach;     // largest support
  uint8_t *near;    // of each particle: pairs of two of them are visited
  double *factor;   // of each pair of the uncut body, from its lower end; -1: not visited
  size_t *visited;  // of each particle
} recut_loop;

static void keep_off_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const recut_loop *s = data;
  for (size_t i = begin; i < end; ++i) {
    double margin = MOTE_CRACK_MARGIN * s->cut->spacing * s->body->support[i], *eye = s->cut->eye + 3 * i;
    if (s->changed != NULL && !(mote_crack_nearest(s->changed, eye, margin, NULL, NULL) < margin)) continue;
    mote_crack_keep_off(s->cracks, margin, eye);
  }
}

void mote_elastic_cut_keep_off(mote_elastic_cut *cut, const mote_elastic *body,
                               const mote_crack_sheets *cracks, const mote_crack_sheets *changed) {
  recut_loop s = {.body = body, .cut = cut, .cracks = cracks, .changed = changed};
  mote_parallel_for(body->env.threads, body->count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, keep_off_chunk, &s);
}

// A pair's factor changes where its ray crosses a new triangle, where its crossing is nearer to a changed
// front than the opacity, or where an eye has moved off a new triangle: both ends are then within a
// support, the opacity and two margins of the change.
static void near_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const recut_loop *s = data;
  double spacing = s->cut->spacing * s->reach;
  double most = s->reach + (s->cut->transparency + 2.0 * MOTE_CRACK_MARGIN) * spacing;
  for (size_t i = begin; i < end; ++i) {
    const double *x = s->body->rest + 3 * i;
    s->near[i] = s->changed == NULL || mote_crack_nearest(s->changed, x, most, NULL, NULL) < most;
  }
}

// --- Weights -----------------------------------------------------------------------------------------

static double factor_of(const recut_loop *s, size_t i, size_t j, double length) {
  double reach = mote_elastic_reach(s->def, i, j), q = length / reach;
  double opacity = s->cut->transparency * s->cut->spacing * reach;
  double more = mote_crack_detour(s->cracks, opacity, s->cut->eye + 3 * i, s->cut->eye + 3 * j, NULL);
  if (!(more > 0.0)) return 1.0;
  if (!(q + more < 1.0)) return 0.0;
  return mote_shape_value(MOTE_KERNEL_POLY6, s->def->dimensions, q + more) /
         mote_shape_value(MOTE_KERNEL_POLY6, s->def->dimensions, q);
}

static void factor_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const recut_loop *s = data;
  const mote_elastic_lists *l = &s->cut->uncut;
  for (size_t i = begin; i < end; ++i) {
    s->visited[i] = 0;
    for (size_t k = l->first[i]; k < l->first[i + 1]; ++k) {
      size_t j = l->neighbour[k];
      s->factor[k] = -1.0;
      if (j < i) continue;
      if (s->cut->label != NULL && s->cut->label[i] != s->cut->label[j]) {
        s->factor[k] = 0.0;
        continue;
      }
      if (!s->near[i] || !s->near[j]) continue;
      s->factor[k] = factor_of(s, i, j, l->path_length[k]);
      ++s->visited[i];
    }
  }
}

// --- The change --------------------------------------------------------------------------------------

// Pairs to remove, to add, and with a new factor.
typedef struct recut_edit {
  mote_elastic_ends *ends[3];
  double *number[3];  // path lengths of added pairs, factors
  size_t count[3], capacity;
} recut_edit;

enum { REMOVE, ADD, WEIGH };

static void note(recut_edit *e, int what, size_t i, size_t j, double number) {
  MOTE_ASSERT(e->count[what] < e->capacity);
  e->ends[what][e->count[what]] = (mote_elastic_ends){(uint32_t)i, (uint32_t)j};
  e->number[what][e->count[what]++] = number;
}

static bool is_across_clamp(const mote_elastic *b, size_t i, size_t j) {
  return b->clamp != NULL && b->clamp[i] != b->clamp[j] &&
         (b->clamp[i] == MOTE_ELASTIC_BURIED || b->clamp[j] == MOTE_ELASTIC_BURIED);
}

static void list_edits(const recut_loop *s, recut_edit *e, mote_elastic_recut_report *report) {
  const mote_elastic *b = s->body;
  const mote_elastic_lists *l = &s->cut->uncut;
  for (size_t i = 0; i < b->count; ++i) {
    report->visited += s->visited[i];
    for (size_t k = l->first[i]; k < l->first[i + 1]; ++k) {
      size_t j = l->neighbour[k];
      double factor = s->factor[k];
      if (factor < 0.0 || (is_across_clamp(b, i, j) && factor > 0.0)) continue;
      size_t at = mote_elastic_lists_find(&b->lists, i, j);
      double present = at == SIZE_MAX ? 0.0 : b->factor == NULL ? 1.0 : b->factor[at];
      if (factor == present) continue;
      ++report->changed;
      if (factor == 0.0) ++report->removed, note(e, REMOVE, i, j, 0.0);
      if (present == 0.0) note(e, ADD, i, j, l->path_length[k]);
      if (factor > 0.0 && !(present == 0.0 && factor == 1.0)) note(e, WEIGH, i, j, factor);
    }
  }
}

static mote_result apply_edits(mote_elastic *b, const recut_edit *e, mote_error *error) {
  MOTE_TRY(mote_elastic_remove_neighbours(b, e->ends[REMOVE], e->count[REMOVE], error));
  MOTE_TRY(mote_elastic_add_neighbours(b, e->ends[ADD], e->number[ADD], e->count[ADD], error));
  MOTE_TRY(mote_elastic_set_factors(b, e->ends[WEIGH], e->number[WEIGH], e->count[WEIGH], error));
  return mote_elastic_rebuild(b, NULL, 0, MOTE_ELASTIC_KEEP_VOLUMES, error);
}

static mote_result change_weights(mote_elastic *b, const recut_loop *s, mote_elastic_recut_report *report,
                                  mote_error *error) {
  recut_edit e = {.capacity = s->cut->uncut.pairs / 2 + 1};
  mote_result result = MOTE_OK;
  for (int k = 0; k < 3; ++k) {
    e.ends[k] = mote_alloc(&b->env, e.capacity, sizeof *e.ends[k]);
    e.number[k] = mote_alloc(&b->env, e.capacity, sizeof *e.number[k]);
    if (e.ends[k] == NULL || e.number[k] == NULL)
      result = mote_fail_memory(error, e.capacity * sizeof *e.ends[k]);
  }
  if (result == MOTE_OK) {
    list_edits(s, &e, report);
    if (report->changed > 0) result = apply_edits(b, &e, error);
  }
  for (int k = 0; k < 3; ++k) {
    mote_free(&b->env, e.ends[k], e.capacity, sizeof *e.ends[k]);
    mote_free(&b->env, e.number[k], e.capacity, sizeof *e.number[k]);
  }
  return result;
}

mote_result mote_elastic_recut(mote_elastic *body, mote_elastic_cut *cut, const mote_crack_sheets *cracks,
                               const mote_crack_sheets *changed, mote_elastic_recut_report *report,
                               mote_error *error) {
  MOTE_ASSERT(cut->uncut.first != NULL && cracks->dimensions == body->dimensions);
  size_t n = body->count, pairs = cut->uncut.pairs;
  if (changed == NULL) MOTE_TRY(restore(body, cut, error));
  mote_elastic_def def = mote_elastic_own_def(body);
  recut_loop s = {.body = body, .def = &def, .cut = cut, .cracks = cracks, .changed = changed};
  *report = (mote_elastic_recut_report){0};
  for (size_t i = 0; i < n; ++i) s.reach = max2(s.reach, body->support[i]);
  s.near = mote_alloc(&body->env, n, sizeof *s.near);
  s.visited = mote_alloc(&body->env, n, sizeof *s.visited);
  s.factor = mote_alloc(&body->env, pairs, sizeof *s.factor);
  mote_result result = MOTE_OK;
  if (s.near == NULL || s.visited == NULL || s.factor == NULL) {
    result = mote_fail_memory(error, n * (1 + sizeof *s.visited) + pairs * sizeof *s.factor);
  } else {
    body->breaks = true;
    mote_parallel_for(body->env.threads, n, MOTE_ELASTIC_PARTICLES_PER_CHUNK, near_chunk, &s);
    mote_parallel_for(body->env.threads, n, MOTE_ELASTIC_PARTICLES_PER_CHUNK, factor_chunk, &s);
    result = change_weights(body, &s, report, error);
    for (size_t i = 0; i < n; ++i) report->loose += body->spread[i] == MOTE_ELASTIC_LOOSE_SPREAD;
  }
  mote_free(&body->env, s.near, n, sizeof *s.near);
  mote_free(&body->env, s.visited, n, sizeof *s.visited);
  mote_free(&body->env, s.factor, pairs, sizeof *s.factor);
  return result;
}
