// Neighbour lists. For each target cell, the runs of candidates (walk.h) are divided into tiles
// (tile.h); each target stores one bit per candidate, tested in double where floats are not decisive.
// All bits together give the offsets of the lists, and a second walk converts bits into indices.
#include <string.h>

#include "base/parallel.h"
#include "search/grid.h"
#include "search/tile.h"

#define TARGETS_PER_TASK 512  // targets of one task, more or less: it ends where a cell does
#define TARGETS_PER_BATCH 64  // targets that search a tile together
#define LIST_ALIGNMENT 4      // lists begin and end at multiples of this
#define TILE_BLOCKS (MOTE_TILE / MOTE_TILE_BLOCK)

// Lists of a task: first counts, then the offsets of its first.
typedef struct mote_list_part {
  size_t bits, entries, pairs;
} mote_list_part;

// --- The bits ---

// Tests the undecided candidates of sorted target k in double, and clears the bits of those that are not
// neighbours.
static void decide(const mote_listing *l, const mote_tile *t, size_t k, const mote_tile_bits *unsure,
                   mote_tile_bits *bits) {
  const mote_domain *domain = &l->space->domain;
  double x[3], y[3], none = 0.0;
  if (l->targets->self != NULL) {
    mote_cells_point(l->points, domain, l->targets->self[k], x);
  } else {
    mote_cells_point(l->targets, domain, k, x);
  }
  bool own = l->radius != NULL && l->reach != MOTE_REACH_SCATTER;
  bool other = l->radius != NULL && l->reach != MOTE_REACH_GATHER;
  double least = own ? l->radius[l->targets->order[k]] : other ? none : l->space->radius;
  for (size_t w = 0; w < 2 * t->blocks; ++w) {
    uint64_t *word = &bits[w / 2].word[w % 2];
    for (uint64_t rest = *word & unsure[w / 2].word[w % 2]; rest != 0; rest &= rest - 1) {
      size_t c = t->point[w / 2 * MOTE_TILE_BLOCK + mote_tile_candidate(w % 2, rest)];
      double r = other ? l->radius[l->points->order[c]] : none;
      if (r < least) r = least;
      mote_cells_point(l->points, domain, c, y);
      double d2 = mote_domain_distance2(domain, x, y);
      uint64_t far = !(d2 <= r * r);  // half of them, in no order: no branch
      *word ^= far << __builtin_ctzll(rest);
    }
  }
}

typedef struct batch {
  size_t begin, size;                              // sorted targets of the walk's cell
  mote_tile_target target[TARGETS_PER_BATCH + 1];  // with their own radii; the last is repeated
  mote_tile_target bare[TARGETS_PER_BATCH + 1];    // without
} batch;

static void start_batch(batch *b, const mote_listing *l, const mote_walk *walk, size_t begin, size_t end) {
  b->begin = begin;
  b->size = end - begin;
  if (l->reach != MOTE_REACH_SCATTER) {
    mote_tile_targets(walk, begin, end, l->radius, false, b->target);
    b->target[b->size] = b->target[b->size - 1];
  }
  if (l->reach != MOTE_REACH_GATHER) {
    mote_tile_targets(walk, begin, end, NULL, true, b->bare);
    b->bare[b->size] = b->bare[b->size - 1];
  }
}

// Tests targets m and m + 1; the second may be missing.
static inline void test_two(const batch *b, const mote_listing *l, const mote_tile *t, size_t m,
                            mote_tile_bits *bits) {
  mote_tile_bits doubt[2][TILE_BLOCKS], spare[TILE_BLOCKS], other[2][TILE_BLOCKS],
      others_doubt[2][TILE_BLOCKS];
  mote_tile_bits *near[2] = {bits, m + 1 < b->size ? bits + t->blocks : spare};
  mote_tile_bits *unsure[2] = {doubt[0], doubt[1]};
  float error = l->space->error;
  bool gather = l->reach != MOTE_REACH_SCATTER;
  int some = mote_tile_test(t, gather ? t->square : t->reaching, gather ? &b->target[m] : &b->bare[m], error,
                            near, unsure);
  if (l->reach == MOTE_REACH_SYMMETRIC) {
    some |= mote_tile_test(t, t->reaching, &b->bare[m], error, (mote_tile_bits *[2]){other[0], other[1]},
                           (mote_tile_bits *[2]){others_doubt[0], others_doubt[1]});
    for (size_t w = 0; w < 4 * t->blocks; ++w) {
      size_t target = w / 2 % 2, block = w / 4;
      near[target][block].word[w % 2] |= other[target][block].word[w % 2];
      unsure[target][block].word[w % 2] |= others_doubt[target][block].word[w % 2];
    }
  }
  for (size_t n = 0; n < 2 && m + n < b->size; ++n) {
    if (some >> n & 1) decide(l, t, b->begin + m + n, unsure[n], near[n]);
  }
}

// Targets begin .. end - 1 (at most TARGETS_PER_BATCH, of the walk's cell) against all candidates.
static mote_tile_bits *test_batch(const mote_listing *l, const mote_walk *walk, size_t begin, size_t end,
                                  mote_tile_bits *bits) {
  uint32_t *number = l->sorted_number + begin;
  const uint32_t *self = l->targets->self;
  batch b;
  start_batch(&b, l, walk, begin, end);
  memset(number, 0, b.size * sizeof *number);
  mote_tile t;
  mote_tile_start(&t, l->reach == MOTE_REACH_GATHER ? NULL : l->out->reach2);
  while (mote_tile_fill_fixed_positions(&t, walk)) {
    for (size_t m = 0; m < b.size; m += 2) test_two(&b, l, &t, m, bits + m * t.blocks);
    for (size_t m = 0; m < b.size; ++m, bits += t.blocks) {
      mote_tile_clear_own(&t, self != NULL ? self[begin + m] : begin + m, bits);
      for (size_t w = 0; w < 2 * t.blocks; ++w) {
        number[m] += (uint32_t)__builtin_popcountll(bits[w / 2].word[w % 2]);
      }
    }
  }
  return bits;
}

// --- The lists ---

static size_t round_up(size_t n) {
  return (n + LIST_ALIGNMENT - 1) / LIST_ALIGNMENT * LIST_ALIGNMENT;
}

typedef struct writing {
  const mote_listing *listing;
  const mote_list_rows *rows;
} writing;

// A list being written: entry k is at index[k / LIST_ALIGNMENT * stride + k % LIST_ALIGNMENT].
typedef struct pen {
  uint32_t *index;
  size_t written;
} pen;

static inline void pen_write(pen *p, size_t stride, uint32_t point) {
  p->index[p->written / LIST_ALIGNMENT * stride + p->written % LIST_ALIGNMENT] = point;
  ++p->written;
}

// Writes the candidates of ordered words.
static inline void write_words(pen *p, size_t stride, const uint64_t *word, size_t words,
                               const uint32_t *point) {
  pen own = *p;
  for (size_t w = 0; w < words; ++w, point += 64) {
    for (uint64_t rest = word[w]; rest != 0; rest &= rest - 1)
      pen_write(&own, stride, point[__builtin_ctzll(rest)]);
  }
  p->written = own.written;
}

// Begins the list of target i, and pads its last group.
static pen start_list(const mote_listing *l, const mote_list_rows *rows, uint32_t i, size_t first,
                      uint32_t number) {
  size_t groups = round_up(number) / LIST_ALIGNMENT;
  uint32_t *index = rows->index + first / LIST_ALIGNMENT * rows->stride;
  if (rows->first != NULL) {
    rows->first[i] = first;
  } else {
    rows->first_four[i] = (uint32_t)(first / LIST_ALIGNMENT);
  }
  rows->number[i] = rows->first != NULL ? number : (uint32_t)groups;
  for (size_t f = 0; f < LIST_ALIGNMENT && groups > 0; ++f) {
    index[(groups - 1) * rows->stride + f] = (uint32_t)l->points->count;
  }
  return (pen){index, 0};
}

// The lists of the same targets, written from entry `first` on; returns the first entry behind them.
static size_t write_batch(const writing *job, const mote_walk *walk, size_t begin, size_t end, size_t first,
                          const mote_tile_bits **bits) {
  const mote_listing *l = job->listing;
  size_t size = end - begin, stride = job->rows->stride;
  pen at[TARGETS_PER_BATCH];
  for (size_t m = 0; m < size; ++m) {
    uint32_t number = l->sorted_number[begin + m];
    at[m] = start_list(l, job->rows, l->targets->order[begin + m], first, number);
    first += round_up(number);
  }
  mote_tile t;
  mote_tile_bits ordered[TARGETS_PER_BATCH * TILE_BLOCKS];
  mote_tile_start(&t, NULL);
  while (mote_tile_fill_indices(&t, walk)) {
    for (size_t m = 0; m < size * t.blocks; ++m) ordered[m] = mote_tile_bits_ordered(*(*bits)++);
    for (size_t m = 0; m < size; ++m) {
      const uint64_t *word = ordered[m * t.blocks].word;
      if (stride == LIST_ALIGNMENT) {  // a constant for the compiler
        write_words(&at[m], LIST_ALIGNMENT, word, 2 * t.blocks, t.point);
      } else {
        write_words(&at[m], stride, word, 2 * t.blocks, t.point);
      }
    }
  }
  return first;
}

// --- Tasks ---

// Visits the target cells that begin in a part of the targets; *last receives the cell behind them.
static void walk_part(const mote_listing *l, mote_walk *walk, size_t begin, size_t end, size_t *last) {
  size_t first = mote_cells_find_point(l->targets, begin);
  *last = mote_cells_find_point(l->targets, end);
  walk->cell = first;
  if (first < *last)
    mote_walk_start(walk, l->space, l->points, l->targets, first);  // else inside one large cell
}

static size_t batch_end(const mote_cell *cell, size_t k) {
  return cell[1].point - k < TARGETS_PER_BATCH ? cell[1].point : k + TARGETS_PER_BATCH;
}

static void count_part(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mote_listing *l = data;
  mote_walk walk;
  size_t sum = 0, last;
  for (walk_part(l, &walk, begin, end, &last); walk.cell < last; mote_walk_next(&walk)) {
    const mote_cell *cell = &l->targets->cell[walk.cell];
    size_t candidates = 0;
    for (size_t r = 0; r < walk.runs; ++r) candidates += walk.run[r].end - walk.run[r].begin;
    sum += (cell[1].point - cell[0].point) * ((candidates + MOTE_TILE_BLOCK - 1) / MOTE_TILE_BLOCK);
  }
  l->out->part[begin / TARGETS_PER_TASK].bits = sum;
}

static void test_part(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mote_listing *l = data;
  mote_list_part *part = &l->out->part[begin / TARGETS_PER_TASK];
  mote_tile_bits *bits = l->bits + part->bits;
  mote_walk walk;
  size_t last;
  part->entries = part->pairs = 0;
  for (walk_part(l, &walk, begin, end, &last); walk.cell < last; mote_walk_next(&walk)) {
    const mote_cell *cell = &l->targets->cell[walk.cell];
    for (size_t k = cell[0].point; k < cell[1].point; k += TARGETS_PER_BATCH) {
      bits = test_batch(l, &walk, k, batch_end(cell, k), bits);
    }
    for (size_t k = cell[0].point; k < cell[1].point; ++k) {
      part->pairs += l->sorted_number[k];
      part->entries += round_up(l->sorted_number[k]);
    }
  }
}

static void write_part(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const writing *job = data;
  const mote_listing *l = job->listing;
  const mote_list_rows *rows = job->rows;
  mote_list_part *part = &l->out->part[begin / TARGETS_PER_TASK];
  const mote_tile_bits *bits = l->bits + part->bits;
  size_t first = part->entries, last;
  mote_walk walk;
  for (walk_part(l, &walk, begin, end, &last); walk.cell < last; mote_walk_next(&walk)) {
    const mote_cell *cell = &l->targets->cell[walk.cell];
    for (size_t k = cell[0].point; k < cell[1].point; k += TARGETS_PER_BATCH) {
      size_t behind = batch_end(cell, k);
      first = write_batch(job, &walk, k, behind, first, &bits);
      if (rows->use != NULL) rows->use(rows->data, l->targets->order + k, behind - k);
    }
  }
}

static void reach_part(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mote_listing *l = data;
  for (size_t k = begin; k < end; ++k) {
    l->out->reach2[k] = mote_tile_reach2(l->radius[l->points->order[k]], l->space->radius);
  }
}

// The memory for data between finding and writing: of the scratch arena, or the block's own.
static mote_result reserve_bits(mote_listing *l, const mote_env *env, size_t bits, mote_error *error) {
  mote_lists_block *out = l->out;
  size_t count = l->targets->count;
  if (l->scratch != NULL) {
    l->between = bits * sizeof *l->bits + count * sizeof *l->sorted_number;
    l->bits = mote_arena_take(l->scratch, l->between, 1);
    l->sorted_number = (uint32_t *)(l->bits + bits);
    return l->bits != NULL ? MOTE_OK : mote_fail_memory(error, l->between);
  }
  MOTE_TRY(mote_reserve(env, &out->bits, &out->bits_capacity, bits, sizeof *out->bits, error));
  MOTE_TRY(mote_reserve(env, &out->sorted_number, &out->sorted_number_capacity, count,
                        sizeof *out->sorted_number, error));
  l->bits = out->bits;
  l->sorted_number = out->sorted_number;
  return MOTE_OK;
}

static size_t sum_bits(mote_lists_block *out, size_t parts) {
  size_t bits = 0;
  for (size_t p = 0; p < parts; ++p) {
    size_t own = out->part[p].bits;
    out->part[p].bits = bits;
    bits += own;
  }
  return bits;
}

mote_result mote_listing_find(mote_listing *l, const mote_env *env, mote_error *error) {
  MOTE_ASSERT(l->space != NULL && l->points != NULL && l->targets != NULL && l->out != NULL);
  MOTE_ASSERT(l->reach == MOTE_REACH_GATHER || l->radius != NULL);
  mote_lists_block *out = l->out;
  size_t count = l->targets->count, parts = (count + TARGETS_PER_TASK - 1) / TARGETS_PER_TASK;
  MOTE_TRY(mote_reserve(env, &out->part, &out->part_capacity, parts, sizeof *out->part, error));
  if (l->reach != MOTE_REACH_GATHER) {
    MOTE_TRY(
        mote_reserve(env, &out->reach2, &out->reach2_capacity, l->points->count, sizeof *out->reach2, error));
    mote_parallel_for(l->threads, l->points->count, TARGETS_PER_TASK, reach_part, l);
  }
  mote_parallel_for(l->threads, count, TARGETS_PER_TASK, count_part, l);
  MOTE_TRY(reserve_bits(l, env, sum_bits(out, parts), error));
  mote_parallel_for(l->threads, count, TARGETS_PER_TASK, test_part, l);
  l->entries = out->pairs = 0;
  for (size_t p = 0; p < parts; ++p) {
    size_t own = out->part[p].entries;
    out->part[p].entries = l->entries;
    l->entries += own;
    out->pairs += out->part[p].pairs;
  }
  return MOTE_OK;
}

void mote_listing_write(const mote_listing *l, const mote_list_rows *rows) {
  MOTE_ASSERT(l->sorted_number != NULL || l->targets->count == 0);
  MOTE_ASSERT((rows->first != NULL) != (rows->first_four != NULL) || l->targets->count == 0);
  MOTE_ASSERT(rows->stride >= 4);
  MOTE_ASSERT(l->entries % 4 == 0);
  writing job = {l, rows};
  mote_parallel_for(l->threads, l->targets->count, TARGETS_PER_TASK, write_part, &job);
  if (l->scratch != NULL) mote_arena_lend(l->scratch, l->bits, l->between);
}

mote_result mote_listing_keep(const mote_listing *l, const mote_env *env, mote_lists *lists,
                              mote_error *error) {
  MOTE_ASSERT(lists != NULL && l->scratch == NULL);
  mote_lists_block *out = l->out;
  size_t count = l->targets->count;
  MOTE_TRY(mote_reserve(env, &out->first, &out->first_capacity, count + 1, sizeof *out->first, error));
  MOTE_TRY(mote_reserve(env, &out->number, &out->number_capacity, count, sizeof *out->number, error));
  MOTE_TRY(mote_reserve(env, &out->index, &out->index_capacity, l->entries, sizeof *out->index, error));
  mote_list_rows rows = {
      .first = out->first, .number = out->number, .index = out->index, .stride = LIST_ALIGNMENT};
  mote_listing_write(l, &rows);
  out->first[count] = l->entries;
  *lists = (mote_lists){.count = count,
                        .pairs = out->pairs,
                        .first = out->first,
                        .number = out->number,
                        .index = out->index,
                        .filler = (uint32_t)l->points->count};
  mote_lists_check(lists, l->points->count);
  return MOTE_OK;
}

#ifdef MOTE_ASSERTS
void mote_lists_check(const mote_lists *lists, size_t points) {
  size_t pairs = 0;
  MOTE_ASSERT(lists->filler == points);
  MOTE_ASSERT(lists->count == 0 || (lists->first != NULL && lists->number != NULL && lists->index != NULL));
  for (size_t i = 0; i < lists->count; ++i) {
    const uint32_t *index = lists->index + lists->first[i];
    size_t number = lists->number[i];
    MOTE_ASSERT(lists->first[i] % LIST_ALIGNMENT == 0);
    MOTE_ASSERT(lists->first[i] + round_up(number) <= lists->first[lists->count]);
    for (size_t k = 0; k < number; ++k) MOTE_ASSERT(index[k] < points);
    for (size_t k = number; k % LIST_ALIGNMENT != 0; ++k) MOTE_ASSERT(index[k] == lists->filler);
    pairs += number;
  }
  MOTE_ASSERT(lists->pairs == pairs);
}
#endif

void mote_lists_block_destroy(mote_lists_block *block, const mote_env *env) {
  MOTE_ASSERT(block != NULL && env != NULL);
  mote_free(env, block->first, block->first_capacity, sizeof *block->first);
  mote_free(env, block->number, block->number_capacity, sizeof *block->number);
  mote_free(env, block->sorted_number, block->sorted_number_capacity, sizeof *block->sorted_number);
  mote_free(env, block->index, block->index_capacity, sizeof *block->index);
  mote_free(env, block->reach2, block->reach2_capacity, sizeof *block->reach2);
  mote_free(env, block->bits, block->bits_capacity, sizeof *block->bits);
  mote_free(env, block->part, block->part_capacity, sizeof *block->part);
}

size_t mote_lists_block_bytes(const mote_lists_block *block) {
  return block->first_capacity * sizeof *block->first + block->number_capacity * sizeof *block->number +
         block->sorted_number_capacity * sizeof *block->sorted_number +
         block->index_capacity * sizeof *block->index + block->reach2_capacity * sizeof *block->reach2 +
         block->bits_capacity * sizeof *block->bits + block->part_capacity * sizeof *block->part;
}
