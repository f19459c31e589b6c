// The order of rows: sorted by cell of the kernel's size and id, in every step, so that it is a function of
// the state.
#include <math.h>

#include "base/parallel.h"
#include "particles/order.h"
#include "search/domain.h"
#include "world/stages.h"
#include "world/watchdog.h"

#define GRAIN 4096
#define CELLS 0x1p21  // along an axis; what lies beyond shares the last

typedef struct keyer {
  const double *position;
  double low[3], scale;
  uint64_t *key;
} keyer;

// In 2D a loaded z may be anything.
static uint64_t cell_of(double x) {
  return x >= CELLS - 1.0 ? (uint64_t)(CELLS - 1.0) : x > 0.0 ? (uint64_t)x : 0;
}

static void key_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const keyer *k = data;
  for (size_t i = begin; i < end; ++i) {
    const double *x = k->position + 3 * i;
    uint64_t cx = cell_of((x[0] - k->low[0]) * k->scale), cy = cell_of((x[1] - k->low[1]) * k->scale),
             cz = cell_of((x[2] - k->low[2]) * k->scale);
    k->key[i] = cz << 42 | cy << 21 | cx;
  }
}

static mote_result order_block(mote_world *world, size_t b, const uint64_t *key, uint32_t *from,
                               mote_error *error) {
  mote_store *store = mote_world_store(world);
  const mote_block *block = &store->block[b];
  MOTE_TRY(mote_order_sort(key + block->first[0], mote_store_ids(store) + block->first[0], block->count,
                           world->env.threads, &world->scratch, from, error));
  return mote_store_permute(store, b, from, &world->scratch, error);
}

mote_result mote_stage_order(mote_world *world, mote_error *error) {
  mote_store *store = mote_world_store(world);
  size_t count = store->count[0];
  if (count == 0) return MOTE_OK;
  keyer k = {.position = mote_store_f64(store, MOTE_PARTICLE_POSITION), .scale = 1.0 / world->fluid.support};
  double high[3];
  if (mote_domain_bounds(&world->domain, k.position, count, world->env.threads, k.low, high, NULL) !=
      MOTE_OK) {
    return mote_watchdog_positions(world, error);
  }
  mote_arena_mark mark = mote_arena_here(&world->scratch);
  k.key = mote_arena_take(&world->scratch, count, sizeof *k.key);
  uint32_t *from = mote_arena_take(&world->scratch, count, sizeof *from);
  if (k.key == NULL || from == NULL) return mote_fail_memory(error, count * sizeof *k.key);
  mote_parallel_for(world->env.threads, count, GRAIN, key_chunk, &k);
  mote_result result = MOTE_OK;
  for (size_t b = 0; b < store->blocks && result == MOTE_OK; ++b) {
    result = order_block(world, b, k.key, from, error);
  }
  mote_arena_release(&world->scratch, mark);
  return result;
}
