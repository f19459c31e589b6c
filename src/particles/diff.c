// Comparing two stores: see diff.h. Both are sorted by id and merged.
#include "particles/diff.h"

#include <math.h>
#include <string.h>

#include "particles/sort.h"

// Rows with the same id, in order of ids.
typedef struct pair {
  uint32_t a, b;
  uint64_t id;
} pair;

// --- Values ---------------------------------------------------------------------------------------------

typedef struct distance {
  double absolute, relative;
  uint64_t ulps;
} distance;

// Numbers one ulp apart become integers one apart; both zeros are 0.
static int64_t ordered_bits(int64_t bits, int64_t sign) {
  return bits < 0 ? sign - bits : bits;
}

static uint64_t apart(int64_t a, int64_t b) {
  return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

static distance float_distance(double x, double y, uint64_t ulps) {
  if (x == y || (isnan(x) && isnan(y))) return (distance){0, 0, 0};
  if (!isfinite(x) || !isfinite(y)) return (distance){HUGE_VAL, HUGE_VAL, UINT64_MAX};
  double absolute = fabs(x - y);
  return (distance){absolute, absolute / fmax(fabs(x), fabs(y)), ulps};
}

static distance integer_distance(uint64_t ulps, double magnitude) {
  double absolute = (double)ulps;
  return (distance){absolute, ulps == 0 ? 0 : absolute / magnitude, ulps};
}

static distance unsigned_distance(uint64_t x, uint64_t y) {
  return x > y ? integer_distance(x - y, (double)x) : integer_distance(y - x, (double)y);
}

static distance f32_distance(const void *a, const void *b) {
  float x, y;
  int32_t p, q;
  memcpy(&x, a, sizeof x), memcpy(&p, a, sizeof p);
  memcpy(&y, b, sizeof y), memcpy(&q, b, sizeof q);
  uint64_t ulps = apart(ordered_bits(p, INT32_MIN), ordered_bits(q, INT32_MIN));
  return float_distance((double)x, (double)y, ulps);
}

static distance f64_distance(const void *a, const void *b) {
  double x, y;
  int64_t p, q;
  memcpy(&x, a, sizeof x), memcpy(&p, a, sizeof p);
  memcpy(&y, b, sizeof y), memcpy(&q, b, sizeof q);
  return float_distance(x, y, apart(ordered_bits(p, INT64_MIN), ordered_bits(q, INT64_MIN)));
}

static distance value_distance(mote_type type, const void *a, const void *b) {
  if (type == MOTE_TYPE_F32) return f32_distance(a, b);
  if (type == MOTE_TYPE_F64) return f64_distance(a, b);
  if (type == MOTE_TYPE_I32) {
    int32_t x, y;
    memcpy(&x, a, sizeof x), memcpy(&y, b, sizeof y);
    return integer_distance(apart(x, y), fmax(fabs((double)x), fabs((double)y)));
  }
  uint64_t x = 0, y = 0;
  memcpy(&x, a, mote_type_size(type)), memcpy(&y, b, mote_type_size(type));
  return unsigned_distance(x, y);
}

// --- Fields ---------------------------------------------------------------------------------------------

// The row's value of field f; null when its block does not have the field.
static const char *value_at(const mote_store *store, int f, size_t row) {
  const mote_field *field = &store->table->field[f];
  if (field->group != 0) {
    size_t b = mote_store_block_of(store, row);
    if (!mote_store_has(store, f, b)) return NULL;
    row += store->block[b].first[field->group] - store->block[b].first[0];
  }
  return (const char *)store->column[f].data + row * mote_field_size(field);
}

static void compare_values(const mote_field *field, const char *a, const char *b, mote_field_diff *diff) {
  size_t size = mote_type_size(field->type);
  for (int k = 0; k < field->components; ++k) {
    distance d = value_distance(field->type, a + (size_t)k * size, b + (size_t)k * size);
    diff->absolute = fmax(diff->absolute, d.absolute);
    diff->relative = fmax(diff->relative, d.relative);
    if (d.ulps > diff->ulps) diff->ulps = d.ulps;
  }
}

typedef struct comparer {
  const mote_store *a, *b;
  const pair *pairs;
  size_t count;
} comparer;

static void compare_rows(const comparer *c, int fa, int fb, mote_field_diff *diff) {
  const mote_field *field = &c->a->table->field[fa];
  size_t size = mote_field_size(field);
  for (size_t k = 0; k < c->count; ++k) {
    const char *a = value_at(c->a, fa, c->pairs[k].a), *b = value_at(c->b, fb, c->pairs[k].b);
    diff->only_a += a != NULL && b == NULL;
    diff->only_b += a == NULL && b != NULL;
    if (a == NULL || b == NULL) continue;
    ++diff->compared;
    if (memcmp(a, b, size) == 0) continue;
    if (diff->differing++ == 0) diff->first_id = c->pairs[k].id;
    compare_values(field, a, b, diff);
  }
}

static bool alike(const mote_field *a, const mote_field *b) {
  bool units = a->unit[0] == 0 || b->unit[0] == 0 || strcmp(a->unit, b->unit) == 0;
  return a->type == b->type && a->components == b->components && units;
}

static bool wanted(const mote_field *field, bool derived) {
  return derived || mote_field_saved(field);
}

// The field of the table that corresponds to field f of `other`, if it is to be compared; else -1: of its
// name, and of its group where there are several.
static int find_wanted(const mote_table *table, const mote_table *other, int f, bool derived) {
  const mote_field *field = &other->field[f];
  int group = mote_table_find_group(table, other->group[field->group]);
  int found = group < 0 ? -1 : mote_table_find_in(table, field->name, 1u << group);
  if (found < 0) found = mote_table_find(table, field->name);
  return found >= 0 && wanted(&table->field[found], derived) ? found : -1;
}

static void compare_fields(const comparer *c, bool derived, mote_diff *out) {
  const mote_table *ta = c->a->table, *tb = c->b->table;
  for (int fa = 0; fa < ta->fields; ++fa) {
    if (!wanted(&ta->field[fa], derived)) continue;
    mote_field_diff *diff = &out->field[out->fields++];
    diff->name = ta->field[fa].name;
    int fb = find_wanted(tb, ta, fa, derived);
    diff->match = fb < 0                                  ? MOTE_MATCH_ONLY_A
                  : alike(&ta->field[fa], &tb->field[fb]) ? MOTE_MATCH_BOTH
                                                          : MOTE_MATCH_UNLIKE;
    if (diff->match == MOTE_MATCH_BOTH) compare_rows(c, fa, fb, diff);
  }
  for (int fb = 0; fb < tb->fields; ++fb) {
    const mote_field *field = &tb->field[fb];
    if (!wanted(field, derived) || find_wanted(ta, tb, fb, derived) >= 0) continue;
    out->field[out->fields++] = (mote_field_diff){.name = field->name, .match = MOTE_MATCH_ONLY_B};
  }
}

// --- Rows -----------------------------------------------------------------------------------------------

static void count_alone(size_t *only, uint64_t *first, uint64_t id) {
  if ((*only)++ == 0) *first = id;
}

// Merges both stores in order of ids (null: of rows) and writes the pairs; returns their number.
static size_t match_rows(const mote_store *a, const mote_store *b, const uint32_t *from_a,
                         const uint32_t *from_b, pair *pairs, mote_diff *out) {
  const uint64_t *id_a = mote_store_ids(a), *id_b = mote_store_ids(b);
  bool by_id = a->table->id >= 0 && b->table->id >= 0;
  size_t ka = 0, kb = 0, count = 0;
  while (ka < a->count[0] || kb < b->count[0]) {
    bool has_a = ka < a->count[0], has_b = kb < b->count[0];
    uint32_t ra = has_a ? from_a[ka] : 0, rb = has_b ? from_b[kb] : 0;
    uint64_t ia = by_id && has_a ? id_a[ra] : ra, ib = by_id && has_b ? id_b[rb] : rb;
    if (has_a && has_b && ia == ib) {
      pairs[count++] = (pair){ra, rb, ia};
      ++ka, ++kb;
    } else if (has_a && (!has_b || ia < ib)) {
      count_alone(&out->only_a, &out->first_only_a, ia);
      ++ka;
    } else {
      count_alone(&out->only_b, &out->first_only_b, ib);
      ++kb;
    }
  }
  return count;
}

static mote_result order_rows(const mote_store *store, bool by_id, mote_arena *scratch, uint32_t **from,
                              mote_error *error) {
  size_t count = store->count[0];
  MOTE_TAKE(*from, scratch, count, error);
  if (by_id) {
    return mote_order_sort(mote_store_ids(store), NULL, count, store->env.threads, scratch, *from, error);
  }
  for (size_t k = 0; k < count; ++k) (*from)[k] = (uint32_t)k;
  return MOTE_OK;
}

static bool nothing_differs(const mote_diff *c) {
  bool same = c->only_a == 0 && c->only_b == 0;
  for (int f = 0; f < c->fields; ++f) {
    const mote_field_diff *diff = &c->field[f];
    same = same && diff->match == MOTE_MATCH_BOTH && diff->differing + diff->only_a + diff->only_b == 0;
  }
  return same;
}

static mote_result compare(const mote_store *a, const mote_store *b, bool derived, mote_arena *scratch,
                           mote_diff *out, mote_error *error) {
  bool by_id = a->table->id >= 0 && b->table->id >= 0;
  size_t most = a->count[0] < b->count[0] ? a->count[0] : b->count[0];
  MOTE_TAKE_NEW(pair, pairs, scratch, most, error);
  uint32_t *from_a, *from_b;
  MOTE_TRY(order_rows(a, by_id, scratch, &from_a, error));
  MOTE_TRY(order_rows(b, by_id, scratch, &from_b, error));
  out->rows = match_rows(a, b, from_a, from_b, pairs, out);
  compare_fields(&(comparer){a, b, pairs, out->rows}, derived, out);
  out->same = nothing_differs(out);
  return MOTE_OK;
}

mote_result mote_store_diff(const mote_store *a, const mote_store *b, bool derived, mote_arena *scratch,
                            mote_diff *out, mote_error *error) {
  MOTE_ASSERT(a->table != NULL && b->table != NULL);
  MOTE_ASSERT(scratch != NULL && out != NULL);
  mote_arena_mark mark = mote_arena_here(scratch);
  *out = (mote_diff){0};
  mote_result result = compare(a, b, derived, scratch, out, error);
  mote_arena_release(scratch, mark);
  return result;
}
