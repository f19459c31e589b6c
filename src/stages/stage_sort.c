// Stage sort: sorts rows by cell of the search grid and by id in every step, so that the order is a
// function of the state; where steps are individual, in the first tick of a block, since a snapshot keeps
// the order. The grid then finds its points in order, and neighbour data lie in the order of the rows.
#include "base/parallel.h"
#include "fluid/prepare.h"
#include "matter/kind.h"
#include "matter/watchdog.h"
#include "pairs/pairs.h"
#include "particles/sort.h"
#include "search/domain.h"
#include "search/grid.h"
#include "stages/stages.h"
#include "stages/tick_block.h"

#define PARTICLES_PER_TASK 4096
#define CELL_BITS 21  // of a cell's number along an axis; cells beyond share the last number

typedef struct keyer {
  const double *position;
  mote_space space;
  int64_t first[3];  // the cell of the lowest corner
  uint64_t *key;
} keyer;

static uint64_t number_of(int64_t cell, int64_t first) {
  const uint64_t last = (UINT64_C(1) << CELL_BITS) - 1;
  uint64_t number = cell > first ? (uint64_t)cell - (uint64_t)first : 0;
  return number < last ? number : last;
}

static void key_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const keyer *k = data;
  for (size_t i = begin; i < end; ++i) {
    int64_t cell[3];
    uint32_t within[3];
    mote_space_cell(&k->space, k->position + 3 * i, cell, within);
    k->key[i] = 0;
    for (int a = 2; a >= 0; --a) k->key[i] = k->key[i] << CELL_BITS | number_of(cell[a], k->first[a]);
  }
}

static keyer make_keyer(const mote_world *world, const double *position, const double low[3],
                        const double high[3]) {
  mote_grid_def def = mote_fluid_grid_def(&world->fluid);
  keyer k = {.position = position, .space = mote_grid_space(&def, low, high)};
  uint32_t within[3];
  mote_space_cell(&k.space, low, k.first, within);
  for (int a = 0; a < 3; ++a) {
    if (k.space.axis[a].cells != 0) k.first[a] = 0;  // periodic: particles may lie in cells before the lowest
  }
  return k;
}

static mote_result sort_block(mote_world *world, size_t b, const uint64_t *key, uint32_t *from,
                              mote_error *error) {
  mote_store *store = mote_world_store(world);
  const mote_block *block = &store->block[b];
  MOTE_TRY(mote_order_sort(key + block->first[0], mote_store_ids(store) + block->first[0], block->count,
                           world->env.threads, &world->scratch, from, error));
  return mote_store_permute(store, b, from, &world->scratch, error);
}

// Rows first .. first + count - 1, which are those of these blocks.
static mote_result sort_blocks(mote_world *world, size_t first, size_t count, size_t block, size_t blocks,
                               mote_error *error) {
  const double *position = mote_store_f64(mote_world_store(world), MOTE_PARTICLE_POSITION) + 3 * first;
  double low[3], high[3];
  if (count == 0) return MOTE_OK;
  if (mote_domain_bounds(&world->domain, position, count, world->env.threads, low, high, NULL) != MOTE_OK) {
    return mote_watchdog_positions(world, error);
  }
  keyer k = make_keyer(world, position, low, high);
  mote_arena_mark mark = mote_arena_here(&world->scratch);
  MOTE_TAKE(k.key, &world->scratch, count, error);
  MOTE_TAKE_NEW(uint32_t, from, &world->scratch, count, error);
  mote_parallel_for(world->env.threads, count, PARTICLES_PER_TASK, key_chunk, &k);
  mote_result result = MOTE_OK;
  for (size_t b = block; b < block + blocks && result == MOTE_OK; ++b) {
    result = sort_block(world, b, k.key - first, from, error);
  }
  mote_arena_release(&world->scratch, mark);
  return result;
}

mote_result mote_stage_sort(mote_world *world, mote_error *error) {
  MOTE_ASSERT(mote_world_store(world)->blocks >= mote_world_items(world, MOTE_ITEM_MATERIAL));
  if (mote_tick_block_inside(world)) return MOTE_OK;
  for (int kind = 0; kind < MOTE_KINDS; ++kind) {
    mote_kind_particles p = mote_kind_particles_of(world, (mote_kind)kind);
    if (!world->kind[kind]->is_sorted) continue;
    MOTE_TRY(sort_blocks(world, p.first, p.count, mote_kind_first_block(world, (mote_kind)kind),
                         mote_kind_block_count(world, (mote_kind)kind), error));
  }
  return MOTE_OK;
}
