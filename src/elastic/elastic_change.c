// Changes of an elastic body's neighbours: see elastic_change.h.
#include "elastic/elastic_change.h"

#include <math.h>
#include <string.h>

#include "elastic/elastic_support.h"
#include "geom/triple.h"

#define REMOVED (-1.0)  // mark: path length of a pair that is about to be removed

// Memory is kept from edit to edit.
typedef struct mote_elastic_edit {
  bool open;                 // there are edits
  mote_elastic_lists lists;  // the neighbours after the edits
  uint8_t *edited;           // of each particle: its pairs have changed
} mote_elastic_edit;

static bool is_pair(const mote_elastic *body, mote_elastic_ends e) {
  return e.a != e.b && e.a < body->count && e.b < body->count;
}

static mote_result make_edit(mote_elastic *body, mote_error *error) {
  if (body->edit != NULL) return MOTE_OK;
  mote_elastic_edit *edit = mote_alloc(&body->env, 1, sizeof *edit);
  uint8_t *edited = mote_alloc(&body->env, body->count, 1);
  if (edit == NULL || edited == NULL) {
    mote_free(&body->env, edit, 1, sizeof *edit);
    mote_free(&body->env, edited, body->count, 1);
    return mote_fail_memory(error, sizeof *edit + body->count);
  }
  *edit = (mote_elastic_edit){.edited = edited};
  body->edit = edit;
  return MOTE_OK;
}

// Begins with the present neighbours, with capacity for `more` directed pairs.
static mote_result open_edit(mote_elastic *body, size_t more, bool factors, mote_error *error) {
  MOTE_TRY(make_edit(body, error));
  mote_elastic_edit *edit = body->edit;
  mote_elastic_lists *l = &edit->lists;
  size_t pairs = (edit->open ? l->pairs : body->pairs) + more;
  if (!edit->open && body->factor == NULL) {  // of discarded edits
    mote_free(&body->env, l->factor, l->capacity[4], sizeof *l->factor);
    l->factor = NULL, l->capacity[4] = 0;
  }
  bool first_factors = factors && body->factor == NULL && l->factor == NULL;
  MOTE_TRY(mote_elastic_lists_reserve(&body->env, l, body->count, pairs, factors || body->factor != NULL,
                                      body->slopes > 0, error));
  if (!edit->open) {
    mote_elastic_lists_copy(&body->lists, body->count, l);
    memset(edit->edited, 0, body->count);
    edit->open = true;
  }
  for (size_t k = 0; first_factors && k < l->pairs; ++k) l->factor[k] = 1.0;
  return MOTE_OK;
}

static void mark(mote_elastic_edit *edit, mote_elastic_ends e) {
  edit->edited[e.a] = edit->edited[e.b] = 1;
}

static void copy_pair(mote_elastic_lists *l, size_t from, size_t to) {
  l->neighbour[to] = l->neighbour[from];
  l->pair[to] = l->pair[from];
  l->path_length[to] = l->path_length[from];
  if (l->factor != NULL) l->factor[to] = l->factor[from];
  if (l->slope != NULL) memmove(l->slope + 6 * to, l->slope + 6 * from, 6 * sizeof *l->slope);
}

// --- Removal -----------------------------------------------------------------------------------------

static void drop_removed(mote_elastic_lists *l, size_t particles) {
  size_t kept = 0, k = 0;
  for (size_t i = 0; i < particles; ++i) {
    for (size_t end = l->first[i + 1]; k < end; ++k) {
      if (l->path_length[k] == REMOVED) continue;
      if (kept < k) copy_pair(l, k, kept);
      ++kept;
    }
    l->first[i + 1] = kept;
  }
  l->pairs = kept;
}

mote_result mote_elastic_remove_neighbours(mote_elastic *body, const mote_elastic_ends *ends, size_t count,
                                           mote_error *error) {
  if (count == 0) return MOTE_OK;
  MOTE_TRY(open_edit(body, 0, false, error));
  mote_elastic_lists *l = &body->edit->lists;
  for (size_t n = 0; n < count; ++n) {
    MOTE_ASSERT(is_pair(body, ends[n]));
    size_t there = mote_elastic_lists_find(l, ends[n].a, ends[n].b);
    size_t back = mote_elastic_lists_find(l, ends[n].b, ends[n].a);
    MOTE_ASSERT(there != SIZE_MAX && back != SIZE_MAX);
    l->path_length[there] = l->path_length[back] = REMOVED;
    mark(body->edit, ends[n]);
  }
  drop_removed(l, body->count);
  return MOTE_OK;
}

// --- Addition ----------------------------------------------------------------------------------------

// Moves the pairs of each particle apart, so that its new ones fit behind them.
static void spread_lists(mote_elastic_lists *l, size_t particles, const uint32_t *added, size_t more) {
  size_t end = l->pairs + more;
  for (size_t i = particles; i-- > 0;) {
    size_t begin = l->first[i], old_end = l->first[i + 1], at = end - added[i];
    l->first[i + 1] = end;
    for (size_t k = old_end; k-- > begin;) copy_pair(l, k, --at);
    end = at;
  }
  MOTE_ASSERT(end == 0);
  l->pairs += more;
}

// `end`: of the existing pairs of i.
static void insert(const mote_elastic *body, const mote_elastic_def *def, size_t i, size_t j, double length,
                   size_t end) {
  mote_elastic_lists *l = &body->edit->lists;
  size_t at = end;
  for (; at > l->first[i] && l->neighbour[at - 1] > j; --at) copy_pair(l, at - 1, at);
  MOTE_ASSERT(at == l->first[i] || l->neighbour[at - 1] != j);
  l->neighbour[at] = (uint32_t)j, l->path_length[at] = length;
  sub3(body->rest + 3 * j, body->rest + 3 * i, l->pair[at].rest);
  l->pair[at].weight = mote_elastic_weight(def, i, j, length);
  if (l->factor != NULL) l->factor[at] = 1.0;
  for (size_t k = 6 * at; l->slope != NULL && k < 6 * at + 6; ++k) l->slope[k] = 0.0;
}

mote_result mote_elastic_add_neighbours(mote_elastic *body, const mote_elastic_ends *ends,
                                        const double *path_length, size_t count, mote_error *error) {
  if (count == 0) return MOTE_OK;
  MOTE_ALLOC_NEW(uint32_t, added, &body->env, body->count, error);
  mote_result result = open_edit(body, 2 * count, false, error);
  if (result == MOTE_OK) {
    mote_elastic_def def = mote_elastic_own_def(body);
    mote_elastic_lists *l = &body->edit->lists;
    memset(added, 0, body->count * sizeof *added);
    for (size_t n = 0; n < count; ++n) {
      MOTE_ASSERT(is_pair(body, ends[n]) && path_length[n] > 0.0);
      MOTE_ASSERT(path_length[n] < mote_elastic_reach(&def, ends[n].a, ends[n].b));
      MOTE_ASSERT(mote_elastic_lists_find(l, ends[n].a, ends[n].b) == SIZE_MAX);
      ++added[ends[n].a], ++added[ends[n].b];
    }
    spread_lists(l, body->count, added, 2 * count);
    for (size_t n = 0; n < count; ++n) {
      size_t a = ends[n].a, b = ends[n].b;
      insert(body, &def, a, b, path_length[n], l->first[a + 1] - added[a]--);
      insert(body, &def, b, a, path_length[n], l->first[b + 1] - added[b]--);
      mark(body->edit, ends[n]);
    }
  }
  mote_free(&body->env, added, body->count, sizeof *added);
  return result;
}

// --- Factors -----------------------------------------------------------------------------------------

static void set_factor(const mote_elastic *body, const mote_elastic_def *def, size_t i, size_t j,
                       double factor) {
  mote_elastic_lists *l = &body->edit->lists;
  size_t k = mote_elastic_lists_find(l, i, j);
  MOTE_ASSERT(k != SIZE_MAX);
  l->factor[k] = factor;
  l->pair[k].weight = mote_elastic_weight(def, i, j, l->path_length[k]) * factor;
}

mote_result mote_elastic_set_factors(mote_elastic *body, const mote_elastic_ends *ends, const double *factor,
                                     size_t count, mote_error *error) {
  if (count == 0) return MOTE_OK;
  MOTE_TRY(open_edit(body, 0, true, error));
  mote_elastic_def def = mote_elastic_own_def(body);
  for (size_t n = 0; n < count; ++n) {
    MOTE_ASSERT(is_pair(body, ends[n]) && factor[n] > 0.0 && factor[n] <= 1.0);
    set_factor(body, &def, ends[n].a, ends[n].b, factor[n]);
    set_factor(body, &def, ends[n].b, ends[n].a, factor[n]);
    mark(body->edit, ends[n]);
  }
  return MOTE_OK;
}

// --- Rebuilding --------------------------------------------------------------------------------------

// The rows to recompute, with their previous values: spread, hourglass stiffness, both inverse moments.
typedef struct rebuild_rows {
  uint32_t *row;
  double *before;
  size_t count, capacity, numbers;
} rebuild_rows;

static mote_result list_rows(const mote_elastic *b, const uint32_t *rows, size_t count, rebuild_rows *out,
                             mote_error *error) {
  const uint8_t *edited = b->edit != NULL && b->edit->open ? b->edit->edited : NULL;
  size_t capacity = count, next = 0;
  for (size_t i = 0; edited != NULL && i < b->count; ++i) capacity += edited[i];
  *out = (rebuild_rows){.capacity = capacity,
                        .numbers = (size_t)(b->terms * b->terms + b->dimensions * b->dimensions) + 2};
  out->row = mote_alloc(&b->env, capacity, sizeof *out->row);
  out->before = mote_alloc(&b->env, capacity * out->numbers, sizeof *out->before);
  if (out->row == NULL || out->before == NULL)
    return mote_fail_memory(error, capacity * out->numbers * sizeof *out->before);
  for (uint32_t i = 0; i < b->count; ++i) {
    bool named = next < count && rows[next] == i;
    next += named;
    if (named || (edited != NULL && edited[i])) out->row[out->count++] = i;
  }
  MOTE_ASSERT(next == count);  // ascending, each once, particles of the body
  return MOTE_OK;
}

static void free_rows(const mote_elastic *b, rebuild_rows *r) {
  mote_free(&b->env, r->row, r->capacity, sizeof *r->row);
  mote_free(&b->env, r->before, r->capacity * r->numbers, sizeof *r->before);
}

static void save_rows(const mote_elastic *b, const rebuild_rows *r) {
  size_t matrix = (size_t)(b->terms * b->terms), linear = r->numbers - 2 - matrix;
  for (size_t k = 0; k < r->count; ++k) {
    double *to = r->before + r->numbers * k;
    to[0] = b->spread[r->row[k]], to[1] = b->hourglass_stiffness[r->row[k]];
    memcpy(to + 2, b->inverse + matrix * r->row[k], matrix * sizeof *to);
    memcpy(to + 2 + matrix, b->linear_inverse + linear * r->row[k], linear * sizeof *to);
  }
}

static void restore_rows(mote_elastic *b, const rebuild_rows *r) {
  size_t matrix = (size_t)(b->terms * b->terms), linear = r->numbers - 2 - matrix;
  for (size_t k = 0; k < r->count; ++k) {
    const double *from = r->before + r->numbers * k;
    b->spread[r->row[k]] = from[0], b->hourglass_stiffness[r->row[k]] = from[1];
    memcpy(b->inverse + matrix * r->row[k], from + 2, matrix * sizeof *from);
    memcpy(b->linear_inverse + linear * r->row[k], from + 2 + matrix, linear * sizeof *from);
  }
}

static void exchange_lists(mote_elastic *b) {
  if (b->edit == NULL || !b->edit->open) return;
  mote_elastic_lists old = b->lists;
  b->lists = b->edit->lists, b->edit->lists = old;
  mote_elastic_use_lists(b);
}

static void make_volumes(mote_elastic *b) {
  MOTE_ASSERT(!b->renewed);
  memcpy(b->volume, b->rest_volume, b->count * sizeof *b->volume);
  mote_elastic_integration_volumes(b, false);
  for (size_t i = 0; i < b->count; ++i) b->hourglass_stiffness[i] = mote_elastic_hourglass_at_rest(b, i);
  mote_elastic_set_masses(b);
}

static void finish_rows(mote_elastic *b, const rebuild_rows *r, mote_elastic_volumes volumes) {
  if (b->slopes > 0) mote_elastic_make_slopes(b, r->row, r->count);
  if (volumes == MOTE_ELASTIC_NEW_VOLUMES) {
    make_volumes(b);
    return;
  }
  for (size_t k = 0; k < r->count; ++k) {
    size_t i = r->row[k];
    b->hourglass_stiffness[i] *= b->volume[i] / b->rest_volume[i];
  }
}

mote_result mote_elastic_rebuild(mote_elastic *body, const uint32_t *rows, size_t count,
                                 mote_elastic_volumes volumes, mote_error *error) {
  MOTE_ASSERT(count <= body->count && (rows != NULL || count == 0));
  rebuild_rows r;
  mote_result result = list_rows(body, rows, count, &r, error);
  if (result == MOTE_OK) {
    save_rows(body, &r);
    exchange_lists(body);
    result = mote_elastic_make_moments(body, r.row, r.count, error);
    if (result == MOTE_OK) {
      finish_rows(body, &r, volumes);
    } else {
      restore_rows(body, &r);
      exchange_lists(body);
    }
  }
  free_rows(body, &r);
  mote_elastic_discard_edits(body);
  return result;
}

void mote_elastic_discard_edits(mote_elastic *body) {
  if (body->edit != NULL) body->edit->open = false;
}

void mote_elastic_edit_destroy(mote_elastic *body) {
  mote_elastic_edit *edit = body->edit;
  if (edit == NULL) return;
  mote_elastic_lists_free(&body->env, &edit->lists);
  mote_free(&body->env, edit->edited, body->count, 1);
  mote_free(&body->env, edit, 1, sizeof *edit);
  body->edit = NULL;
}
