// Scratch memory: alignment, marks, reuse without new memory, refusal.
#include "base/arena.h"

#include <stdint.h>

#include "test.h"

static void marks_give_memory_back(void) {
  mote_arena arena = mote_arena_make(NULL);
  char *first = mote_arena_take(&arena, 10, 1);
  mote_arena_mark mark = mote_arena_here(&arena);
  char *second = mote_arena_take(&arena, 1000, sizeof(double));
  memset(first, 1, 10);
  memset(second, 2, 1000 * sizeof(double));
  CHECK((uintptr_t)first % MOTE_ALIGNMENT == 0 && (uintptr_t)second % MOTE_ALIGNMENT == 0);
  mote_arena_release(&arena, mark);
  CHECK(mote_arena_take(&arena, 1000, sizeof(double)) == second);
  CHECK(first[9] == 1);
  mote_arena_destroy(&arena);
}

static void warm_arena_takes_no_new_memory(void) {
  mote_arena arena = mote_arena_make(NULL);
  mote_arena_mark start = mote_arena_here(&arena);
  size_t bytes = 0;
  for (int round = 0; round < 5; ++round) {
    for (int k = 1; k < 40; ++k) memset(mote_arena_take(&arena, (size_t)k * 5000, 1), k, (size_t)k * 5000);
    mote_arena_release(&arena, start);
    if (round == 0) bytes = mote_arena_bytes(&arena);
    CHECK(mote_arena_bytes(&arena) == bytes);
  }
  mote_arena_destroy(&arena);
}

// Takes of many sizes in turn: without settling each round may add a block, with it one is enough.
static void blocks_settle_into_one(void) {
  mote_arena arena = mote_arena_make(NULL);
  mote_arena_mark start = mote_arena_here(&arena);
  size_t most = 0;
  for (size_t round = 1; round <= 50; ++round) {
    size_t big = 100000 + round * 7919 % 50000;
    memset(mote_arena_take(&arena, 60000, 1), 1, 60000);
    memset(mote_arena_take(&arena, big, 1), 2, big);
    memset(mote_arena_take(&arena, 300000 - big, 1), 3, 300000 - big);
    mote_arena_settle(&arena);  // something is taken: nothing happens
    mote_arena_release(&arena, start);
    mote_arena_settle(&arena);
    if (mote_arena_bytes(&arena) > most) most = mote_arena_bytes(&arena);
  }
  CHECK((double)most < 1.3 * 360000.0);
  mote_arena_destroy(&arena);
}

// What is lent is taken first, as far as it fits; releases before it end the loan, those behind it renew it.
static void memory_is_lent(void) {
  mote_arena arena = mote_arena_make(NULL);
  mote_arena_mark start = mote_arena_here(&arena);
  CHECK(mote_arena_take(&arena, 0, 1) != NULL);
  char *big = mote_arena_take(&arena, 640, 1), *kept = mote_arena_take(&arena, 64, 1);
  memset(kept, 7, 64);
  mote_arena_lend(&arena, big, 640);
  mote_arena_mark lent = mote_arena_here(&arena);
  size_t taken = arena.taken;
  for (int round = 0; round < 2; ++round) {
    CHECK(mote_arena_take(&arena, 256, 1) == big && arena.taken == taken);
    char *more = mote_arena_take(&arena, 512, 1);
    CHECK(more >= kept + 64 && arena.taken == taken + 512);
    CHECK(mote_arena_take(&arena, 384, 1) == big + 256 && arena.taken == taken + 512);
    mote_arena_lend(&arena, more, 512);
    CHECK(mote_arena_take(&arena, 1, 1) == more);
    mote_arena_release(&arena, lent);
  }
  CHECK(kept[63] == 7);
  mote_arena_release(&arena, start);
  CHECK(mote_arena_take(&arena, 64, 1) == big && mote_arena_take(&arena, 64, 1) == big + 64);
  CHECK(arena.taken == 128);
  mote_arena_destroy(&arena);
}

static void *no_memory(void *user, void *block, size_t old_size, size_t size) {
  (void)user, (void)block, (void)old_size, (void)size;
  return NULL;
}

static void refusal_is_null(void) {
  mote_env env = mote_env_default();
  env.resize = no_memory;
  mote_arena arena = mote_arena_make(&env);
  CHECK(mote_arena_take(&arena, 1, 1) == NULL);
  mote_arena plenty = mote_arena_make(NULL);
  CHECK(mote_arena_take(&plenty, SIZE_MAX / 2, 8) == NULL);
  mote_arena_destroy(&plenty);
}

int main(void) {
  marks_give_memory_back();
  warm_arena_takes_no_new_memory();
  blocks_settle_into_one();
  memory_is_lent();
  refusal_is_null();
  return test_end();
}
