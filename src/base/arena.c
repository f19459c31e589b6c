// Scratch memory: see arena.h. A list of blocks, each at least half as large as all before it.
#include "base/arena.h"

#if defined(__SANITIZE_ADDRESS__)
#define ARENA_POISONED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_POISONED 1
#endif
#endif
#ifdef ARENA_POISONED
#include <sanitizer/asan_interface.h>
#define POISON(address, size) ASAN_POISON_MEMORY_REGION(address, size)
#define UNPOISON(address, size) ASAN_UNPOISON_MEMORY_REGION(address, size)
#else
#define POISON(address, size) ((void)(address), (void)(size))
#define UNPOISON(address, size) ((void)(address), (void)(size))
#endif

#define SMALLEST_BLOCK ((size_t)1 << 16)

struct mote_arena_block {
  mote_arena_block *next;
  size_t size;  // of the data behind the header
};

#define HEADER MOTE_ALIGNMENT
_Static_assert(sizeof(mote_arena_block) <= HEADER, "the block's header fits in front of its data");

static char *block_data(mote_arena_block *block) {
  return (char *)block + HEADER;
}

// For asserts only.
__attribute__((unused)) static bool has_block(const mote_arena *arena, const mote_arena_block *wanted) {
  const mote_arena_block *block = arena->first;
  while (block != NULL && block != wanted) block = block->next;
  return block != NULL;
}

// Whether all of it lies in one block; for asserts only.
__attribute__((unused)) static bool has_bytes(const mote_arena *arena, const char *begin, size_t bytes) {
  for (mote_arena_block *block = arena->first; block != NULL; block = block->next) {
    const char *data = block_data(block);
    if (begin >= data && begin + bytes <= data + block->size) return true;
  }
  return false;
}

#ifdef MOTE_ASSERTS
void mote_arena_check(const mote_arena *arena) {
  MOTE_ASSERT(arena != NULL);
  MOTE_ASSERT(arena->current == NULL || has_block(arena, arena->current));
  MOTE_ASSERT(arena->current != NULL || (arena->used == 0 && arena->taken == 0));
  MOTE_ASSERT(arena->current == NULL || arena->used <= arena->current->size);
  MOTE_ASSERT(arena->used % MOTE_ALIGNMENT == 0 && arena->taken % MOTE_ALIGNMENT == 0);
  MOTE_ASSERT(arena->used <= arena->taken && arena->taken <= arena->most);
  MOTE_ASSERT(arena->lent_left == 0 || has_bytes(arena, arena->lent, arena->lent_left));
}
#endif

mote_arena mote_arena_make(const mote_env *env) {
  return (mote_arena){.env = mote_env_resolve(env)};
}

void mote_arena_destroy(mote_arena *arena) {
  mote_arena_check(arena);
  for (mote_arena_block *block = arena->first, *next; block != NULL; block = next) {
    next = block->next;
    UNPOISON(block_data(block), block->size);
    mote_free(&arena->env, block, HEADER + block->size, 1);
  }
  *arena = (mote_arena){.env = arena->env};
}

static mote_arena_block *new_block(mote_arena *arena, size_t size) {
  size_t least = mote_arena_bytes(arena) / 2;
  if (least < SMALLEST_BLOCK) least = SMALLEST_BLOCK;
  if (size < least) size = least;
  mote_arena_block *block = mote_alloc(&arena->env, HEADER + size, 1);
  if (block == NULL) return NULL;
  *block = (mote_arena_block){.size = size};
  POISON(block_data(block), size);
  return block;
}

// Makes the block behind the current one, or a new one put there, the current one.
static bool advance(mote_arena *arena, size_t size) {
  mote_arena_block **link = arena->current == NULL ? &arena->first : &arena->current->next;
  if (*link == NULL || (*link)->size < size) {
    mote_arena_block *block = new_block(arena, size);
    if (block == NULL) return false;
    block->next = *link;
    *link = block;
  }
  arena->current = *link;
  arena->used = 0;
  return true;
}

void *mote_arena_take(mote_arena *arena, size_t count, size_t size) {
  MOTE_ASSERT(arena != NULL);
  MOTE_ASSERT(arena->current == NULL || arena->used <= arena->current->size);
  if (size != 0 && count > (SIZE_MAX / 4) / size) return NULL;
  size_t bytes = (count * size + MOTE_ALIGNMENT - 1) / MOTE_ALIGNMENT * MOTE_ALIGNMENT;
  if (bytes > 0 && arena->lent_left >= bytes) {
    char *lent = arena->lent;
    arena->lent += bytes;
    arena->lent_left -= bytes;
    UNPOISON(lent, count * size);
    return lent;
  }
  if (arena->current == NULL || arena->current->size - arena->used < bytes) {
    if (!advance(arena, bytes)) return NULL;
  }
  char *taken = block_data(arena->current) + arena->used;
  arena->used += bytes;
  arena->taken += bytes;
  if (arena->taken > arena->most) arena->most = arena->taken;
  UNPOISON(taken, count * size);
  MOTE_ASSERT((uintptr_t)taken % MOTE_ALIGNMENT == 0);
  return taken;
}

mote_arena_mark mote_arena_here(const mote_arena *arena) {
  mote_arena_check(arena);
  return (mote_arena_mark){arena->current, arena->used, arena->taken, arena->lent, arena->lent_left};
}

void mote_arena_release(mote_arena *arena, mote_arena_mark mark) {
  mote_arena_check(arena);
  MOTE_ASSERT(mark.block == NULL || has_block(arena, mark.block));
  MOTE_ASSERT(mark.block == NULL || mark.used <= mark.block->size);
  MOTE_ASSERT(mark.taken <= arena->taken);
  mote_arena_block *block = mark.block == NULL ? arena->first : mark.block;
  size_t used = mark.block == NULL ? 0 : mark.used;
  arena->current = block;
  arena->used = used;
  arena->taken = mark.block == NULL ? 0 : mark.taken;
  arena->lent = mark.lent;
  arena->lent_left = mark.lent_left;
  POISON(mark.lent, mark.lent_left);
  for (; block != NULL; block = block->next, used = 0) POISON(block_data(block) + used, block->size - used);
}

void mote_arena_lend(mote_arena *arena, void *taken, size_t bytes) {
  MOTE_ASSERT(bytes == 0 || has_bytes(arena, taken, bytes));
  MOTE_ASSERT((uintptr_t)taken % MOTE_ALIGNMENT == 0);
  bytes = bytes / MOTE_ALIGNMENT * MOTE_ALIGNMENT;
  POISON(taken, bytes);
  if (bytes <= arena->lent_left) return;
  arena->lent = taken;
  arena->lent_left = bytes;
}

void mote_arena_settle(mote_arena *arena) {
  mote_arena_check(arena);
  if (arena->taken > 0 || arena->first == NULL || arena->first->next == NULL) return;
  mote_arena fresh = mote_arena_make(&arena->env);
  fresh.first = new_block(&fresh, arena->most + arena->most / 32);
  if (fresh.first == NULL) return;
  fresh.current = fresh.first;
  fresh.most = arena->most;
  mote_arena_destroy(arena);
  *arena = fresh;
}

size_t mote_arena_bytes(const mote_arena *arena) {
  MOTE_ASSERT(arena != NULL);
  size_t bytes = 0;
  for (mote_arena_block *block = arena->first; block != NULL; block = block->next) {
    bytes += HEADER + block->size;
  }
  return bytes;
}
