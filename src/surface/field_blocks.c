// From kernels to a sparse field: see field_blocks.h.
#include "surface/field_blocks.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"

#define SIDE MOTE_BLOCK_SIDE
#define BLOCK_GRAIN 8
#define BIN_GRAIN 256

typedef struct work {
  mote_field_blocks *blocks;
  const mote_kernel_field *field;
  const mote_field_opts *opts;
  size_t first;      // block of this round
  uint8_t *trouble;  // one per worker: memory was out
  mote_error *error;
} work;

// --- Memory -----------------------------------------------------------------------------------------------

mote_field_blocks mote_field_blocks_make(const mote_env *env) {
  MOTE_ASSERT(env != NULL);
  return (mote_field_blocks){.env = *env, .map = {.env = *env}, .absent = {.env = *env}};
}

void mote_field_blocks_free(mote_field_blocks *b) {
  MOTE_ASSERT(b->list != NULL || b->lists == 0);
  mote_block_map_free(&b->map);
  mote_block_map_free(&b->absent);
  for (size_t w = 0; w < b->lists; ++w) mote_kernel_list_free(&b->list[w]);
  mote_free(&b->env, b->list, b->lists, sizeof *b->list);
  mote_free(&b->env, b->range, b->range_capacity, sizeof *b->range);
  mote_free(&b->env, b->at, b->at_capacity, sizeof *b->at);
  mote_free(&b->env, b->above, b->above_capacity, sizeof *b->above);
  mote_free(&b->env, b->value, b->value_capacity, sizeof *b->value);
  mote_free(&b->env, b->signs, b->signs_capacity, sizeof *b->signs);
  mote_free(&b->env, b->wanted, b->wanted_capacity, sizeof *b->wanted);
}

size_t mote_field_blocks_bytes(const mote_field_blocks *b) {
  size_t bytes = mote_block_map_bytes(&b->map) + mote_block_map_bytes(&b->absent);
  for (size_t w = 0; w < b->lists; ++w) {
    bytes +=
        b->list[w].capacity * sizeof *b->list[w].kernel + b->list[w].run_capacity * sizeof *b->list[w].run;
  }
  bytes += b->range_capacity * sizeof *b->range + b->at_capacity * sizeof *b->at;
  bytes += b->above_capacity * sizeof *b->above + b->wanted_capacity * sizeof *b->wanted;
  bytes += b->signs_capacity * sizeof *b->signs;
  return bytes + b->value_capacity * sizeof *b->value;
}

static mote_result make_lists(mote_field_blocks *b, mote_error *error) {
  if (b->list != NULL) return MOTE_OK;
  size_t count = (size_t)b->env.threads;
  MOTE_ALLOC(b->list, &b->env, count, error);
  b->lists = count;
  for (size_t w = 0; w < count; ++w) b->list[w] = (mote_kernel_list){.env = b->env};
  return MOTE_OK;
}

// --- Seeds ------------------------------------------------------------------------------------------------

// The part of a kernel's box in which a surface is looked for: all of it where the clip box's sides cut it,
// its middle where the point is near the surface; else none.
static bool seed_box(const work *w, uint32_t p, double low[3], double high[3]) {
  const mote_kernel_field *f = w->field;
  mote_kernel_box(f, p, low, high);
  for (int a = 0; a < 3; ++a) {
    if (low[a] <= f->clip_low[a] && high[a] >= f->clip_low[a]) return true;
    if (low[a] <= f->clip_high[a] && high[a] >= f->clip_high[a]) return true;
  }
  if (w->opts->near == NULL) return true;
  for (int a = 0; a < 3; ++a) {
    double cut = 0.5 * (1.0 - w->opts->close) * (high[a] - low[a]);
    low[a] += cut;
    high[a] -= cut;
  }
  return w->opts->near[p] != 0;
}

static int32_t block_of(double place) {
  const double most = MOTE_BLOCK_FARTHEST;  // one beyond: refused later
  double at = floor(place);
  return (int32_t)(at < -most ? -most : at > most ? most : at);
}

// The blocks that the seeds of each bin touch.
static void range_task(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  work *w = data;
  const mote_point_set *set = w->field->set;
  double per_block = 1.0 / (w->opts->cell * SIDE);
  for (size_t bin = begin; bin < end; ++bin) {
    double least[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, most[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (uint32_t p = set->first_point[bin]; p < set->first_point[bin + 1]; ++p) {
      double low[3], high[3];
      if (!seed_box(w, p, low, high)) continue;
      for (int a = 0; a < 3; ++a) {
        least[a] = low[a] < least[a] ? low[a] : least[a];
        most[a] = high[a] > most[a] ? high[a] : most[a];
      }
    }
    int32_t *range = w->blocks->range + 6 * bin;
    for (int a = 0; a < 3; ++a) {
      bool none = least[a] > most[a];
      range[a] = none ? 0 : block_of(least[a] * per_block);
      range[3 + a] = none ? -1 : block_of(most[a] * per_block);
    }
  }
}

static mote_result too_many(const work *w) {
  return mote_fail_key(w->error, "cell", "cells of %g m need more than %zu nodes (most_nodes)", w->opts->cell,
                       w->opts->most_nodes);
}

// Whether all nodes of a block lie outside of the clip box.
static bool is_cut_off(const work *w, const int32_t at[3]) {
  for (int a = 0; a < 3; ++a) {
    double first = at[a] * (double)SIDE * w->opts->cell, last = (at[a] * (double)SIDE + 7.0) * w->opts->cell;
    if (last < w->field->clip_low[a] || first > w->field->clip_high[a]) return true;
  }
  return false;
}

static mote_result add_block(work *w, const int32_t at[3]) {
  mote_block_map *map = &w->blocks->map;
  for (int a = 0; a < 3; ++a) {
    if (at[a] >= MOTE_BLOCK_FARTHEST - 1 || at[a] <= 1 - MOTE_BLOCK_FARTHEST) {
      return mote_fail_key(w->error, "cell", "the particles spread over more than %d cells of %g m",
                           MOTE_BLOCK_FARTHEST * SIDE, w->opts->cell);
    }
  }
  MOTE_TRY(mote_block_map_add(map, mote_block_key(at[0], at[1], at[2]), w->error));
  return map->count > w->opts->most_nodes / MOTE_BLOCK_NODES ? too_many(w) : MOTE_OK;
}

static mote_result add_seeds(work *w) {
  mote_field_blocks *b = w->blocks;
  size_t bins = w->field->set->bins;
  MOTE_TRY(mote_reserve(&b->env, &b->range, &b->range_capacity, 6 * bins, sizeof *b->range, w->error));
  mote_parallel_for(b->env.threads, bins, BIN_GRAIN, range_task, w);
  mote_block_map_clear(&b->map);
  for (size_t bin = 0; bin < bins; ++bin) {
    const int32_t *range = b->range + 6 * bin;
    int32_t at[3];
    for (at[2] = range[2]; at[2] <= range[5]; ++at[2]) {
      for (at[1] = range[1]; at[1] <= range[4]; ++at[1]) {
        for (at[0] = range[0]; at[0] <= range[3]; ++at[0]) {
          if (!is_cut_off(w, at)) MOTE_TRY(add_block(w, at));
        }
      }
    }
  }
  return mote_block_map_sort(&b->map, w->error);
}

// --- Rounds -----------------------------------------------------------------------------------------------

static void evaluate_task(void *data, size_t begin, size_t end, int worker) {
  work *w = data;
  mote_kernel_list *list = &w->blocks->list[worker];
  for (size_t n = w->first + begin; n < w->first + end; ++n) {
    int32_t at[3], node[3];
    mote_block_place(w->blocks->map.key[n], at);
    for (int a = 0; a < 3; ++a) node[a] = SIDE * at[a];
    if (!mote_kernel_list_collect(list, w->field, w->opts->cell, node, SIDE - 1)) {
      w->trouble[worker] = 1;
      return;
    }
    float *value = w->blocks->value + n * MOTE_BLOCK_NODES;
    mote_kernel_tile(w->field, list, w->opts->cell, at, value);
    w->blocks->signs[n] = mote_block_signs_of(value);
  }
}

// The signs of some rows of nodes along x: bits that are set in one at least, and in all.
typedef struct row_signs {
  uint8_t any, all;
} row_signs;

static row_signs join(row_signs a, row_signs b) {
  return (row_signs){a.any | b.any, a.all & b.all};
}

// Of n things, the first, all together, and the last.
static void join_all(const row_signs *from, size_t stride, row_signs to[3]) {
  to[0] = to[1] = from[0];
  for (int n = 1; n < SIDE; ++n) to[1] = join(to[1], from[n * stride]);
  to[2] = from[(SIDE - 1) * stride];
}

mote_block_signs mote_block_signs_of(const float value[MOTE_BLOCK_NODES]) {
  MOTE_ASSERT(value != NULL);
  static const uint8_t faces[3] = {1, 0xff, 1 << (SIDE - 1)};
  row_signs along_y[SIDE][3];
  for (int z = 0; z < SIDE; ++z) {
    row_signs row[SIDE];
    for (int y = 0; y < SIDE; ++y) {
      const float *at = value + (z * SIDE + y) * SIDE;
      uint8_t bits = 0;
      for (int x = 0; x < SIDE; ++x) bits |= (uint8_t)((at[x] > 0.0f) << x);
      row[y] = (row_signs){bits, bits};
    }
    join_all(row, 1, along_y[z]);
  }
  mote_block_signs signs = {0, 0};
  for (int y = 0; y < 3; ++y) {
    row_signs joined[3];
    join_all(&along_y[0][y], 3, joined);
    for (int direction = 0; direction < 9; ++direction) {
      int x = direction % 3, z = direction / 3;
      uint32_t bit = 1u << (x + 3 * y + 9 * z);
      if (joined[z].any & faces[x]) signs.inside |= bit;
      if (~joined[z].all & faces[x]) signs.outside |= bit;
    }
  }
  return signs;
}

#define ANY_OUTSIDE 1
#define ANY_INSIDE 2

static int facing_signs(mote_block_signs signs, int direction) {
  return (signs.outside >> direction & 1 ? ANY_OUTSIDE : 0) |
         (signs.inside >> direction & 1 ? ANY_INSIDE : 0);
}

// What an absent block is taken for: outside where no kernel touches it or where it is cut off, inside where
// only kernels of points deep inside do. Near the surface, 0: nothing but what its neighbours show.
static int assumed_sign(work *w, const int32_t at[3], int worker) {
  if (is_cut_off(w, at)) return ANY_OUTSIDE;
  mote_kernel_list *list = &w->blocks->list[worker];
  int32_t node[3] = {SIDE * at[0], SIDE * at[1], SIDE * at[2]};
  if (!mote_kernel_list_collect(list, w->field, w->opts->cell, node, SIDE - 1)) w->trouble[worker] = 1;
  if (list->count == 0) return ANY_OUTSIDE;
  for (size_t k = 0; k < list->count; ++k) {
    if (w->opts->near == NULL || w->opts->near[list->kernel[k].point]) return 0;
  }
  return ANY_INSIDE;
}

static uint64_t key_beside(const int32_t at[3], int direction) {
  return mote_block_key(at[0] + direction % 3 - 1, at[1] + direction / 3 % 3 - 1, at[2] + direction / 9 - 1);
}

// The signs that all blocks around an absent one show to it. Rings are wanted around all with a surface.
static int shown_signs(const work *w, const int32_t at[3]) {
  const int both = ANY_INSIDE | ANY_OUTSIDE;
  int signs = 0;
  for (int direction = 0; direction < 27 && signs != both; ++direction) {
    uint32_t n = mote_block_map_find(&w->blocks->map, key_beside(at, direction));
    if (n == MOTE_BLOCK_ABSENT) continue;
    signs |= facing_signs(w->blocks->signs[n], 26 - direction);
    if (w->opts->ring && facing_signs(w->blocks->signs[n], 13) == both) signs = both;
  }
  return signs;
}

static void wanted_task(void *data, size_t begin, size_t end, int worker) {
  work *w = data;
  const int both = ANY_INSIDE | ANY_OUTSIDE;
  for (size_t n = begin; n < end; ++n) {
    int32_t at[3];
    mote_block_place(w->blocks->absent.key[n], at);
    int signs = shown_signs(w, at);
    if (signs != both) signs |= assumed_sign(w, at, worker);
    w->blocks->wanted[n] = signs == both;
  }
}

static mote_result check_trouble(const work *w) {
  for (size_t k = 0; k < w->blocks->lists; ++k) {
    if (w->trouble[k]) return mote_fail_memory(w->error, MOTE_BLOCK_NODES * sizeof(float));
  }
  return MOTE_OK;
}

static void beside_task(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  work *w = data;
  for (size_t n = begin; n < end; ++n) {
    uint32_t absent = 0;
    int32_t at[3];
    mote_block_place(w->blocks->map.key[w->first + n], at);
    for (int direction = 0; direction < 27; ++direction) {
      bool there = mote_block_map_find(&w->blocks->map, key_beside(at, direction)) != MOTE_BLOCK_ABSENT;
      absent |= (uint32_t)!there << direction;
    }
    w->blocks->wanted[n] = absent;
  }
}

// The absent neighbours of blocks first .., each once.
static mote_result list_absent(work *w) {
  mote_field_blocks *b = w->blocks;
  size_t fresh = b->map.count - w->first;
  MOTE_TRY(mote_reserve(&b->env, &b->wanted, &b->wanted_capacity, fresh, sizeof *b->wanted, w->error));
  mote_parallel_for(b->env.threads, fresh, BLOCK_GRAIN, beside_task, w);
  mote_block_map_clear(&b->absent);
  for (size_t n = 0; n < fresh; ++n) {
    int32_t at[3];
    mote_block_place(b->map.key[w->first + n], at);
    for (int direction = 0; b->wanted[n] >> direction != 0; ++direction) {
      bool absent = b->wanted[n] >> direction & 1;
      if (absent) MOTE_TRY(mote_block_map_add(&b->absent, key_beside(at, direction), w->error));
    }
  }
  return mote_reserve(&b->env, &b->wanted, &b->wanted_capacity, b->absent.count, sizeof *b->wanted, w->error);
}

// Evaluates blocks first .. and adds the absent neighbours that are wanted behind them.
static mote_result round_of_blocks(work *w) {
  mote_field_blocks *b = w->blocks;
  size_t last = b->map.count;
  MOTE_TRY(mote_reserve(&b->env, &b->value, &b->value_capacity, last * MOTE_BLOCK_NODES, sizeof *b->value,
                        w->error));
  MOTE_TRY(mote_reserve(&b->env, &b->signs, &b->signs_capacity, last, sizeof *b->signs, w->error));
  mote_parallel_for(b->env.threads, last - w->first, BLOCK_GRAIN, evaluate_task, w);
  MOTE_TRY(check_trouble(w));
  MOTE_TRY(list_absent(w));
  mote_parallel_for(b->env.threads, b->absent.count, BLOCK_GRAIN, wanted_task, w);
  MOTE_TRY(check_trouble(w));
  for (size_t n = 0; n < b->absent.count; ++n) {
    int32_t at[3];
    mote_block_place(b->absent.key[n], at);
    if (b->wanted[n]) MOTE_TRY(add_block(w, at));
  }
  w->first = last;
  return MOTE_OK;
}

// --- The result -------------------------------------------------------------------------------------------

// The values of block n go to place to[n], along the cycles of the permutation; to[] is used up.
static void permute_blocks(float *value, size_t count, uint32_t *to) {
  float held[MOTE_BLOCK_NODES], next[MOTE_BLOCK_NODES];
  for (size_t n = 0; n < count; ++n) {
    if (to[n] == n) continue;
    memcpy(held, value + n * MOTE_BLOCK_NODES, sizeof held);
    for (size_t at = n; to[at] != at;) {
      size_t place = to[at];
      float *there = value + place * MOTE_BLOCK_NODES;
      memcpy(next, there, sizeof next);
      memcpy(there, held, sizeof held);
      memcpy(held, next, sizeof held);
      to[at] = (uint32_t)at;
      at = place;
    }
  }
}

// Blocks that came in later rounds go to their places.
static mote_result sort_blocks(work *w, size_t seeds) {
  mote_field_blocks *b = w->blocks;
  size_t count = b->map.count;
  if (count == seeds) return MOTE_OK;
  MOTE_ALLOC_NEW(uint64_t, old, &b->env, count, w->error);
  memcpy(old, b->map.key, count * sizeof *old);
  mote_result result = mote_block_map_sort(&b->map, w->error);
  if (!result)
    result = mote_reserve(&b->env, &b->wanted, &b->wanted_capacity, count, sizeof *b->wanted, w->error);
  for (size_t n = 0; !result && n < count; ++n) b->wanted[n] = mote_block_map_find(&b->map, old[n]);
  if (!result) permute_blocks(b->value, count, b->wanted);
  mote_free(&b->env, old, count, sizeof *old);
  return result;
}

static void above_task(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const work *w = data;
  mote_field_blocks *b = w->blocks;
  for (size_t n = begin; n < end; ++n) {
    int32_t *at = b->at + 3 * n;
    mote_block_place(b->map.key[n], at);
    for (int k = 0; k < 8; ++k) {
      uint64_t key = mote_block_key(at[0] + (k & 1), at[1] + (k >> 1 & 1), at[2] + (k >> 2));
      b->above[n][k] = k == 0 ? (uint32_t)n : mote_block_map_find(&b->map, key);
    }
  }
}

static mote_result link_blocks(work *w) {
  mote_field_blocks *b = w->blocks;
  size_t count = b->map.count;
  MOTE_TRY(mote_reserve(&b->env, &b->at, &b->at_capacity, 3 * count, sizeof *b->at, w->error));
  MOTE_TRY(mote_reserve(&b->env, &b->above, &b->above_capacity, count, sizeof *b->above, w->error));
  mote_parallel_for(b->env.threads, count, BLOCK_GRAIN, above_task, w);
  return MOTE_OK;
}

mote_result mote_field_blocks_evaluate(mote_field_blocks *blocks, const mote_kernel_field *field,
                                       const mote_field_opts *opts, mote_sparse_field *out,
                                       mote_error *error) {
  MOTE_ASSERT(field->set != NULL && field->bin_box != NULL);
  MOTE_ASSERT(opts->cell > 0.0);
  MOTE_ASSERT(opts->close >= 0.0 && opts->close <= 1.0);
  MOTE_ASSERT(out != NULL);
  uint8_t trouble[MOTE_THREADS_MAX] = {0};
  work w = {.blocks = blocks, .field = field, .opts = opts, .trouble = trouble, .error = error};
  MOTE_TRY(make_lists(blocks, error));
  MOTE_TRY(add_seeds(&w));
  size_t seeds = blocks->map.count;
  while (w.first < blocks->map.count) MOTE_TRY(round_of_blocks(&w));
  MOTE_TRY(sort_blocks(&w, seeds));
  MOTE_TRY(link_blocks(&w));
  *out = (mote_sparse_field){.cell = opts->cell,
                             .blocks = blocks->map.count,
                             .at = (const int32_t *)blocks->at,
                             .above = (const uint32_t(*)[8])blocks->above,
                             .value = blocks->value};
  return MOTE_OK;
}
