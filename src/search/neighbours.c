// Neighbour lists. Target cell by target cell, the runs that may be near (walk.h) are cut into tiles
// (tile.h); each target keeps one bit for each candidate, after the doubles have decided where floats cannot.
// When all bits are known the lists have their places, and a second walk turns bits into indices.
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "search/grid.h"
#include "search/tile.h"

#define PART_CELLS 256  // target cells of one task
#define BATCH 64        // targets that look at a tile together
#define GROUP 4         // lists begin and end at multiples of this

// What a task makes: first counts, then the numbers of its first.
typedef struct mote_list_part {
  size_t bits, entries, pairs;
} mote_list_part;

typedef struct listing {
  const mote_grid *grid;
  const mote_cells *targets;
  const double *radius;
  mote_reach reach;
  float error;  // infinite where the doubles must always decide
  mote_lists_block *out;
} listing;

// The square of the radius that decides about target i and neighbour j.
static inline double limit2(const listing *l, uint32_t i, uint32_t j) {
  double r = l->reach == MOTE_REACH_SCATTER ? l->radius[j] : l->radius[i];
  if (l->reach == MOTE_REACH_SYMMETRIC && l->radius[j] > r) r = l->radius[j];
  return r * r;
}

// Asks the doubles about sorted target k and the candidates that may be near; those that are not lose their
// bits.
static void decide(const listing *l, const mote_tile *t, size_t k, mote_tile_bits *bits) {
  const mote_cells *points = &l->grid->cells;
  double r2 = l->grid->def.radius * l->grid->def.radius;
  for (size_t w = 0; w < 2 * t->blocks; ++w) {
    uint64_t *word = &bits[w / 2].word[w % 2];
    for (uint64_t rest = *word; rest != 0; rest &= rest - 1) {
      size_t c = t->point[w / 2 * MOTE_TILE_BLOCK + mote_tile_candidate(w % 2, rest)];
      if (l->radius != NULL) r2 = limit2(l, l->targets->order[k], points->order[c]);
      double d2 =
          mote_domain_distance2(&l->grid->def.domain, l->targets->position + 3 * k, points->position + 3 * c);
      if (!(d2 <= r2)) *word ^= rest & -rest;
    }
  }
}

// Targets begin .. end - 1 (at most BATCH, of the walk's cell) against all candidates.
static mote_tile_bits *test_batch(const listing *l, const mote_walk *walk, size_t begin, size_t end,
                                  mote_tile_bits *bits) {
  mote_tile_target target[BATCH + 1];
  mote_tile_bits spare[MOTE_TILE / MOTE_TILE_BLOCK];
  uint32_t *number = l->out->sorted_number + begin;
  size_t size = end - begin;
  mote_tile_targets(walk, begin, end, l->reach == MOTE_REACH_GATHER ? l->radius : NULL, l->grid->def.radius,
                    target);
  target[size] = target[size - 1];
  memset(number, 0, size * sizeof *number);
  mote_tile t;
  mote_tile_start(&t);
  while (mote_tile_fill_places(&t, walk)) {
    int unsure[BATCH / 2];
    for (size_t m = 0; m < size; m += 2) {
      mote_tile_bits *first = bits + m * t.blocks, *second = m + 1 < size ? first + t.blocks : spare;
      unsure[m / 2] = mote_tile_test(&t, &target[m], l->error, first, second);
    }
    for (size_t m = 0; m < size; ++m, bits += t.blocks) {
      if (unsure[m / 2] >> m % 2 & 1) decide(l, &t, begin + m, bits);
      mote_tile_clear_own(&t, begin + m, bits);
      for (size_t w = 0; w < 2 * t.blocks; ++w) {
        number[m] += (uint32_t)__builtin_popcountll(bits[w / 2].word[w % 2]);
      }
    }
  }
  return bits;
}

static size_t round_up(size_t n) {
  return (n + GROUP - 1) / GROUP * GROUP;
}

// Writes the candidates of ordered words.
static inline uint32_t *write_words(uint32_t *out, const uint64_t *word, size_t words,
                                    const uint32_t *point) {
  for (size_t w = 0; w < words; ++w, point += 64) {
    for (uint64_t rest = word[w]; rest != 0; rest &= rest - 1) *out++ = point[__builtin_ctzll(rest)];
  }
  return out;
}

// The lists of the same targets, written from entry `first` on; returns the first entry behind them.
static size_t write_batch(const listing *l, const mote_walk *walk, size_t begin, size_t end, size_t first,
                          const mote_tile_bits **bits) {
  uint32_t *index = l->out->index, *at[BATCH], filler = (uint32_t)l->grid->cells.count;
  size_t size = end - begin;
  for (size_t m = 0; m < size; ++m) {
    uint32_t i = l->targets->order[begin + m], number = l->out->sorted_number[begin + m];
    l->out->first[i] = first;
    l->out->number[i] = number;
    at[m] = index + first;
    first += round_up(number);
    for (size_t f = number == 0 ? first : first - GROUP; f < first; ++f) index[f] = filler;
  }
  mote_tile t;
  mote_tile_bits ordered[BATCH * MOTE_TILE / MOTE_TILE_BLOCK];
  mote_tile_start(&t);
  while (mote_tile_fill_indices(&t, walk)) {
    for (size_t m = 0; m < size * t.blocks; ++m) ordered[m] = mote_tile_bits_ordered(*(*bits)++);
    for (size_t m = 0; m < size; ++m) {
      at[m] = write_words(at[m], ordered[m * t.blocks].word, 2 * t.blocks, t.point);
    }
  }
  return first;
}

static void count_part(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const listing *l = data;
  mote_walk walk;
  size_t sum = 0;
  mote_walk_start(&walk, &l->grid->space, &l->grid->cells, l->targets, begin);
  for (; walk.cell < end; mote_walk_next(&walk)) {
    size_t candidates = 0;
    for (size_t r = 0; r < walk.runs; ++r) candidates += walk.run[r].end - walk.run[r].begin;
    const mote_cell *cell = &l->targets->cell[walk.cell];
    sum += (cell[1].point - cell[0].point) * ((candidates + MOTE_TILE_BLOCK - 1) / MOTE_TILE_BLOCK);
  }
  l->out->part[begin / PART_CELLS].bits = sum;
}

static void test_part(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const listing *l = data;
  mote_list_part *part = &l->out->part[begin / PART_CELLS];
  mote_tile_bits *bits = l->out->bits + part->bits;
  mote_walk walk;
  mote_walk_start(&walk, &l->grid->space, &l->grid->cells, l->targets, begin);
  for (; walk.cell < end; mote_walk_next(&walk)) {
    const mote_cell *cell = &l->targets->cell[walk.cell];
    for (size_t k = cell[0].point; k < cell[1].point; k += BATCH) {
      bits = test_batch(l, &walk, k, k + BATCH < cell[1].point ? k + BATCH : cell[1].point, bits);
    }
  }
  part->entries = part->pairs = 0;
  for (size_t k = l->targets->cell[begin].point; k < l->targets->cell[end].point; ++k) {
    size_t number = l->out->sorted_number[k];
    part->pairs += number;
    part->entries += round_up(number);
  }
}

static void write_part(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const listing *l = data;
  mote_list_part *part = &l->out->part[begin / PART_CELLS];
  const mote_tile_bits *bits = l->out->bits + part->bits;
  size_t first = part->entries;
  mote_walk walk;
  mote_walk_start(&walk, &l->grid->space, &l->grid->cells, l->targets, begin);
  for (; walk.cell < end; mote_walk_next(&walk)) {
    const mote_cell *cell = &l->targets->cell[walk.cell];
    for (size_t k = cell[0].point; k < cell[1].point; k += BATCH) {
      first = write_batch(l, &walk, k, k + BATCH < cell[1].point ? k + BATCH : cell[1].point, first, &bits);
    }
  }
}

static mote_result make_lists(listing *l, const mote_env *env, mote_error *error) {
  mote_lists_block *out = l->out;
  size_t cells = l->targets->cells, count = l->targets->count, parts = (cells + PART_CELLS - 1) / PART_CELLS;
  MOTE_TRY(mote_reserve(env, &out->first, &out->first_held, count + 1, sizeof *out->first, error));
  MOTE_TRY(mote_reserve(env, &out->number, &out->number_held, count, sizeof *out->number, error));
  MOTE_TRY(mote_reserve(env, &out->sorted_number, &out->sorted_number_held, count, sizeof *out->sorted_number,
                        error));
  MOTE_TRY(mote_reserve(env, &out->part, &out->part_held, parts, sizeof *out->part, error));
  mote_parallel_for(env->threads, cells, PART_CELLS, count_part, l);
  size_t bits = 0;
  for (size_t p = 0; p < parts; ++p) {
    size_t own = out->part[p].bits;
    out->part[p].bits = bits;
    bits += own;
  }
  MOTE_TRY(mote_reserve(env, &out->bits, &out->bits_held, bits, sizeof *out->bits, error));
  mote_parallel_for(env->threads, cells, PART_CELLS, test_part, l);
  size_t entries = 0;
  out->pairs = 0;
  for (size_t p = 0; p < parts; ++p) {
    size_t own = out->part[p].entries;
    out->part[p].entries = entries;
    entries += own;
    out->pairs += out->part[p].pairs;
  }
  out->first[count] = entries;
  MOTE_TRY(mote_reserve(env, &out->index, &out->index_held, entries, sizeof *out->index, error));
  mote_parallel_for(env->threads, cells, PART_CELLS, write_part, l);
  return MOTE_OK;
}

mote_result mote_grid_list(mote_grid *grid, const mote_cells *targets, const double *radius, mote_reach reach,
                           mote_lists *lists, mote_error *error) {
  listing l = {.grid = grid,
               .targets = targets,
               .radius = radius,
               .reach = reach,
               .error = grid->space.error,
               .out = &grid->lists};
  if (radius != NULL && reach != MOTE_REACH_GATHER) l.error = (float)HUGE_VAL;
  MOTE_TRY(make_lists(&l, &grid->env, error));
  *lists = (mote_lists){.count = targets->count,
                        .pairs = grid->lists.pairs,
                        .first = grid->lists.first,
                        .number = grid->lists.number,
                        .index = grid->lists.index,
                        .filler = (uint32_t)grid->cells.count};
  return MOTE_OK;
}

void mote_lists_block_destroy(mote_lists_block *block, const mote_env *env) {
  mote_free(env, block->first, block->first_held, sizeof *block->first);
  mote_free(env, block->number, block->number_held, sizeof *block->number);
  mote_free(env, block->sorted_number, block->sorted_number_held, sizeof *block->sorted_number);
  mote_free(env, block->index, block->index_held, sizeof *block->index);
  mote_free(env, block->bits, block->bits_held, sizeof *block->bits);
  mote_free(env, block->part, block->part_held, sizeof *block->part);
}

size_t mote_lists_block_bytes(const mote_lists_block *block) {
  return block->first_held * sizeof *block->first + block->number_held * sizeof *block->number +
         block->sorted_number_held * sizeof *block->sorted_number + block->index_held * sizeof *block->index +
         block->bits_held * sizeof *block->bits + block->part_held * sizeof *block->part;
}
