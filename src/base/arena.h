// Scratch memory: take what a stage needs, release it all at a mark. Blocks are kept, so that after
// warm-up nothing is allocated. What is not taken is poisoned under AddressSanitizer.
#ifndef MOTE_ARENA_H
#define MOTE_ARENA_H

#include "base/memory.h"

typedef struct mote_arena_block mote_arena_block;

typedef struct mote_arena {
  mote_env env;
  mote_arena_block *first, *current;  // a list; blocks behind current are empty and kept
  size_t used;                        // bytes taken from current
  size_t taken, most;                 // bytes taken from all blocks, and the most there ever were
  char *lent;                         // bytes that were taken and are free again,
  size_t lent_left;                   // so many
} mote_arena;

typedef struct mote_arena_mark {
  mote_arena_block *block;
  size_t used, taken;
  char *lent;
  size_t lent_left;
} mote_arena_mark;

mote_arena mote_arena_make(const mote_env *env);
void mote_arena_destroy(mote_arena *arena);

// Aligned to MOTE_ALIGNMENT, not cleared; null when memory is out.
void *mote_arena_take(mote_arena *arena, size_t count, size_t size);

// As MOTE_ALLOC and MOTE_ALLOC_NEW (base/memory.h), from an arena.
#define MOTE_TAKE(pointer, arena, count, error) MOTE_MEMORY(mote_arena_take, pointer, arena, count, error)
#define MOTE_TAKE_NEW(type, name, arena, count, error) \
  type *name;                                          \
  MOTE_TAKE(name, arena, count, error)

mote_arena_mark mote_arena_here(const mote_arena *arena);
void mote_arena_release(mote_arena *arena, mote_arena_mark mark);

// Gives back what was taken before other things, aligned as taken: what is taken next is taken from it as far
// as it fits, until a mark is released that is older than this. Of two such places the larger counts.
void mote_arena_lend(mote_arena *arena, void *taken, size_t bytes);

// Where sizes vary from use to use, blocks of many sizes gather. While nothing is taken: makes them one block
// that holds the most that was ever taken at once, and a part of 32 more. When memory is out, all stays.
void mote_arena_settle(mote_arena *arena);

#ifdef MOTE_ASSERTS
// Invariants: the current block is one of the list, what is taken fits in, what is lent lies in a block.
void mote_arena_check(const mote_arena *arena);
#else
static inline void mote_arena_check(const mote_arena *arena) {
  (void)arena;
}
#endif

// Bytes allocated from the environment.
size_t mote_arena_bytes(const mote_arena *arena);

#endif
