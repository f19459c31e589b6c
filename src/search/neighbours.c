// Neighbour lists. Target cell by target cell, the runs that may be near (walk.h) are cut into tiles of 128
// candidates; each target tests a tile four candidates at a time and keeps one bit for each. When all bits
// are known the lists have their places, and a second walk turns bits into indices.
//
// A tile's bits are four words, one a lane, group after group from the highest bit down: candidate c of a
// tile with g groups of four is bit g - 1 - c / 4 of word c % 4.
#include <math.h>

#include "base/lane.h"
#include "base/parallel.h"
#include "search/band.h"
#include "search/grid.h"
#include "search/walk.h"

#define PART_CELLS 256  // target cells of one task
#define TILE 128        // candidates looked at together
#define BATCH 64        // targets that look at them

typedef struct mote_list_bits {
  uint32_t word[MOTE_LANES];
} mote_list_bits;

// What a task makes: first counts, then the numbers of its first.
typedef struct mote_list_part {
  size_t bits, entries, pairs;
} mote_list_part;

typedef struct listing {
  const mote_grid *grid;
  const mote_cells *targets;
  const double *position, *radius;
  mote_reach reach;
  bool own;  // the targets are the grid's points
  mote_ruler ruler;
  mote_band band;  // of all targets, unless each has its own radius
  mote_lists_block *out;
} listing;

typedef struct tile {
  size_t run, next;  // where the next tile begins
  size_t count, groups;
  size_t own_begin, own_end, own_at;  // which sorted points of the target cell are candidates, and where
  float x[TILE + MOTE_LANES], y[TILE + MOTE_LANES], z[TILE + MOTE_LANES];  // from the target cell's corner
  uint32_t index[TILE + MOTE_LANES];
} tile;

static inline mote_lane place_lane(const uint32_t *place, uint32_t origin, float scale) {
  mote_lane_mask lane;
  memcpy(&lane, place, sizeof lane);
  int32_t from = (int32_t)origin;
  return __builtin_convertvector(lane - from, mote_lane) * scale;
}

static inline void copy_run(tile *t, const listing *l, const uint32_t origin[3], size_t n, bool places) {
  const mote_cells *points = &l->grid->cells;
  for (size_t k = 0; k < n; k += MOTE_LANES) {
    size_t from = t->next + k, to = t->count + k;
    memcpy(t->index + to, points->order + from, MOTE_LANES * sizeof *t->index);
    if (!places) continue;
    mote_lane_store(t->x + to, place_lane(points->place[0] + from, origin[0], l->ruler.scale[0]));
    mote_lane_store(t->y + to, place_lane(points->place[1] + from, origin[1], l->ruler.scale[1]));
    mote_lane_store(t->z + to, place_lane(points->place[2] + from, origin[2], l->ruler.scale[2]));
  }
}

// Fills the tile with the next candidates of the walk's cell; false when there are none left. Without
// `places` only their indices.
static inline bool fill_tile(tile *t, const listing *l, const mote_walk *walk, const uint32_t corner[3],
                             bool places) {
  const mote_cell *cell = &walk->targets->cell[walk->cell];
  t->count = 0;
  t->own_begin = t->own_end = 0;
  while (t->run < walk->runs && t->count < TILE) {
    const mote_run *run = &walk->run[t->run];
    if (t->next < run->begin) t->next = run->begin;
    size_t n = run->end - t->next;
    if (n > TILE - t->count) n = TILE - t->count;
    uint32_t origin[3];
    for (int a = 0; a < 3; ++a) origin[a] = corner[a] - run->shift[a];
    copy_run(t, l, origin, n, places);
    if (l->own && t->next < cell[1].point && t->next + n > cell[0].point) {
      t->own_begin = t->next;
      t->own_end = t->next + n;
      t->own_at = t->count;
    }
    t->count += n;
    t->next += n;
    if (t->next == run->end) {
      ++t->run;
      t->next = 0;
    }
  }
  t->groups = (t->count + MOTE_LANES - 1) / MOTE_LANES;
  mote_lane_store(t->x + t->count, mote_lane_splat(NAN));
  return t->count > 0;
}

// The bits of the candidates that may be near; *sure receives how many certainly are.
static inline mote_list_bits test_tile(const tile *t, float x, float y, float z, mote_band band,
                                       uint32_t *sure) {
  mote_lane_mask bits = {0}, count = {0};
  for (size_t k = 0; k < MOTE_LANES * t->groups; k += MOTE_LANES) {
    mote_lane dx = mote_lane_load(t->x + k) - x, dy = mote_lane_load(t->y + k) - y,
              dz = mote_lane_load(t->z + k) - z;
    mote_lane d2 = dx * dx + dy * dy + dz * dz;
    bits = bits + bits - (d2 <= band.maybe);
    count -= d2 <= band.sure;
  }
  mote_list_bits out;
  memcpy(&out, &bits, sizeof out);
  *sure = (uint32_t)(count[0] + count[1] + count[2] + count[3]);
  return out;
}

static uint32_t count_bits(const mote_list_bits *bits) {
  uint64_t word[2];
  memcpy(word, bits, sizeof word);
  return (uint32_t)(__builtin_popcountll(word[0]) + __builtin_popcountll(word[1]));
}

static double limit2(const listing *l, uint32_t i, uint32_t j) {
  if (l->radius == NULL) return l->grid->def.radius * l->grid->def.radius;
  double r = l->reach == MOTE_REACH_SCATTER ? l->radius[j] : l->radius[i];
  if (l->reach == MOTE_REACH_SYMMETRIC && l->radius[j] > r) r = l->radius[j];
  return r * r;
}

// Clears the bits of candidates that are not near after all.
static void clear_far(mote_list_bits *bits, const tile *t, const listing *l, uint32_t i) {
  const double *x = l->position + 3 * (size_t)i;
  for (uint32_t lane = 0; lane < MOTE_LANES; ++lane) {
    for (uint32_t rest = bits->word[lane]; rest != 0; rest &= rest - 1) {
      uint32_t bit = (uint32_t)__builtin_ctz(rest);
      uint32_t j = t->index[(t->groups - 1 - bit) * MOTE_LANES + lane];
      double d2 = mote_domain_distance2(&l->grid->def.domain, x, l->grid->position + 3 * (size_t)j);
      if (!(d2 <= limit2(l, i, j))) bits->word[lane] &= ~(UINT32_C(1) << bit);
    }
  }
}

static inline uint32_t *write_list(uint32_t *out, const mote_list_bits *bits, const tile *t) {
  for (uint32_t lane = 0; lane < MOTE_LANES; ++lane) {
    const uint32_t *last = t->index + (t->groups - 1) * MOTE_LANES + lane;
    for (uint32_t rest = bits->word[lane]; rest != 0; rest &= rest - 1) {
      *out++ = *(last - MOTE_LANES * (size_t)__builtin_ctz(rest));
    }
  }
  return out;
}

// Targets begin .. end - 1 (at most BATCH, of the walk's cell) against all candidates.
static mote_list_bits *test_batch(const listing *l, const mote_walk *walk, size_t begin, size_t end,
                                  mote_list_bits *bits) {
  const mote_cells *targets = l->targets;
  const mote_row *row = &targets->row[walk->row];
  const uint32_t corner[3] = {(uint32_t)((uint64_t)targets->cell[walk->cell].x << MOTE_PLACE_BITS),
                              (uint32_t)((uint64_t)row->y << MOTE_PLACE_BITS),
                              (uint32_t)((uint64_t)row->z << MOTE_PLACE_BITS)};
  const float *scale = l->ruler.scale;
  uint32_t number[BATCH] = {0};
  tile t = {0};
  while (fill_tile(&t, l, walk, corner, true)) {
    for (size_t k = begin; k < end; ++k) {
      uint32_t i = targets->order[k], sure;
      float x[3];
      for (int a = 0; a < 3; ++a) x[a] = (float)(int32_t)(targets->place[a][k] - corner[a]) * scale[a];
      mote_band band = l->band;
      if (l->radius != NULL && l->reach == MOTE_REACH_GATHER) band = mote_ruler_band(&l->ruler, l->radius[i]);
      *bits = test_tile(&t, x[0], x[1], x[2], band, &sure);
      uint32_t found = count_bits(bits);
      if (found != sure) {
        clear_far(bits, &t, l, i);
        found = count_bits(bits);
      }
      if (k >= t.own_begin && k < t.own_end) {
        size_t at = t.own_at + (k - t.own_begin);
        bits->word[at % MOTE_LANES] &= ~(UINT32_C(1) << (t.groups - 1 - at / MOTE_LANES));
        --found;
      }
      number[k - begin] += found;
      ++bits;
    }
  }
  for (size_t k = begin; k < end; ++k) l->out->number[targets->order[k]] = number[k - begin];
  return bits;
}

static size_t round_up(size_t n) {
  return (n + MOTE_LANES - 1) / MOTE_LANES * MOTE_LANES;
}

// The lists of the same targets, written from entry `first` on; returns the first entry behind them.
static size_t write_batch(const listing *l, const mote_walk *walk, size_t begin, size_t end, size_t first,
                          const mote_list_bits **bits) {
  const mote_cells *targets = l->targets;
  uint32_t *at[BATCH];
  for (size_t k = begin; k < end; ++k) {
    uint32_t i = targets->order[k];
    l->out->first[i] = first;
    at[k - begin] = l->out->index + first;
    first += round_up(l->out->number[i]);
  }
  tile t = {0};
  const uint32_t corner[3] = {0};
  while (fill_tile(&t, l, walk, corner, false)) {
    for (size_t k = begin; k < end; ++k, ++*bits) at[k - begin] = write_list(at[k - begin], *bits, &t);
  }
  uint32_t filler = (uint32_t)l->grid->cells.count;
  for (size_t k = begin; k < end; ++k) {
    while ((size_t)(at[k - begin] - l->out->index) % MOTE_LANES != 0) *at[k - begin]++ = filler;
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
    sum += (cell[1].point - cell[0].point) * ((candidates + TILE - 1) / TILE);
  }
  l->out->part[begin / PART_CELLS].bits = sum;
}

static void test_part(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const listing *l = data;
  mote_list_part *part = &l->out->part[begin / PART_CELLS];
  mote_list_bits *bits = l->out->bits + part->bits;
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
    size_t number = l->out->number[l->targets->order[k]];
    part->pairs += number;
    part->entries += round_up(number);
  }
}

static void write_part(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const listing *l = data;
  mote_list_part *part = &l->out->part[begin / PART_CELLS];
  const mote_list_bits *bits = l->out->bits + part->bits;
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

mote_result mote_grid_list(mote_grid *grid, const mote_cells *targets, const double *position,
                           const double *radius, mote_reach reach, mote_lists *lists, mote_error *error) {
  listing l = {.grid = grid,
               .targets = targets,
               .position = position != NULL ? position : grid->position,
               .radius = radius,
               .reach = reach,
               .own = position == NULL,
               .ruler = mote_ruler_make(&grid->space),
               .out = &grid->lists};
  l.band = mote_ruler_band(&l.ruler, grid->def.radius);
  if (radius != NULL) l.band.sure = -1.0f;
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
  mote_free(env, block->index, block->index_held, sizeof *block->index);
  mote_free(env, block->bits, block->bits_held, sizeof *block->bits);
  mote_free(env, block->part, block->part_held, sizeof *block->part);
}

size_t mote_lists_block_bytes(const mote_lists_block *block) {
  return block->first_held * sizeof *block->first + block->number_held * sizeof *block->number +
         block->index_held * sizeof *block->index + block->bits_held * sizeof *block->bits +
         block->part_held * sizeof *block->part;
}
