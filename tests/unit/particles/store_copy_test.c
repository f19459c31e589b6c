// A copy has the same hash, blocks and next id, and goes on as the original does; a refused one leaves all as
// it was; a bare one holds less.
#include "particles/store.h"
#include "store_kit.h"
#include "test.h"

static size_t bytes_of(const mote_store *store) {
  size_t bytes = 0;
  for (int f = 0; f < store->table->fields; ++f)
    bytes += store->column[f].capacity * mote_field_size(&store->table->field[f]);
  return bytes;
}

static void copies_are_equal(void) {
  for (int threads = 1; threads <= 7; threads += 3) {
    mote_env env = mote_env_default();
    env.threads = threads;
    mote_store a = kit_store(&env, 30000, 1), b = kit_store(&env, 7, 2);
    CHECK(mote_store_copy(&a, &b, NULL) == MOTE_OK);
    CHECK(kit_hash(&a) == kit_hash(&b) && b.next_id == a.next_id && b.blocks == a.blocks);
    CHECK(b.count[MOTE_GROUP_SOFT] == a.count[MOTE_GROUP_SOFT] && b.block[2].first[0] == a.block[2].first[0]);
    CHECK(bytes_of(&b) > 30000 * 24);
    CHECK(mote_store_resize(&a, 1, 100, NULL) == MOTE_OK && mote_store_resize(&b, 1, 100, NULL) == MOTE_OK);
    CHECK(kit_hash(&a) == kit_hash(&b));
    mote_store_destroy(&a);
    mote_store_destroy(&b);
  }
}

// After the first time a copy of the same size takes no memory.
static void memory_is_used_again(void) {
  kit_memory memory;
  mote_env env = kit_env(&memory);
  mote_store a = kit_store(&env, 300, 1), b = mote_store_make(&thing_table, &env), empty = b;
  CHECK(mote_store_copy(&a, &b, NULL) == MOTE_OK);
  size_t calls = memory.calls;
  kit_fill(&a, 0, 5);
  CHECK(mote_store_copy(&a, &b, NULL) == MOTE_OK && memory.calls == calls && kit_hash(&a) == kit_hash(&b));
  CHECK(mote_store_copy(&empty, &b, NULL) == MOTE_OK && b.count[0] == 0 && b.blocks == 0);
  CHECK(mote_store_copy(&a, &b, NULL) == MOTE_OK && memory.calls == calls && kit_hash(&a) == kit_hash(&b));
  mote_store_destroy(&a);
  mote_store_destroy(&b);
  CHECK(memory.live == 0);
}

// One that is only to be copied back holds no derived fields, and gives back all others.
static void bare_copies(void) {
  mote_store a = kit_store(NULL, 300, 1), b = mote_store_make(&thing_table, NULL), whole = b;
  uint64_t hash = kit_hash(&a);
  b.bare = true;
  CHECK(mote_store_copy(&a, &b, NULL) == MOTE_OK && mote_store_copy(&a, &whole, NULL) == MOTE_OK);
  CHECK(bytes_of(&b) < bytes_of(&whole));
  for (int f = 0; f < thing_table.fields; ++f) {
    if (!mote_field_saved(&thing_table.field[f])) CHECK(b.column[f].data == NULL);
  }
  kit_fill(&a, 0, 5);
  CHECK(kit_hash(&a) != hash && mote_store_copy(&b, &a, NULL) == MOTE_OK && kit_hash(&a) == hash);
  mote_store_destroy(&a);
  mote_store_destroy(&b);
  mote_store_destroy(&whole);
}

static void refusal_changes_nothing(void) {
  kit_memory memory;
  mote_env env = kit_env(&memory);
  mote_store a = kit_store(NULL, 300, 1), b = kit_store(&env, 3, 2);
  uint64_t hash = kit_hash(&b);
  mote_result result = MOTE_ERROR_MEMORY;
  for (size_t granted = 0; result != MOTE_OK && granted < 50; ++granted) {
    memory.refuse = memory.calls + granted;
    result = mote_store_copy(&a, &b, NULL);
    CHECK(result == MOTE_OK || (result == MOTE_ERROR_MEMORY && kit_hash(&b) == hash));
  }
  CHECK(result == MOTE_OK && kit_hash(&b) == kit_hash(&a));
  mote_store_destroy(&a);
  mote_store_destroy(&b);
}

int main(void) {
  copies_are_equal();
  memory_is_used_again();
  bare_copies();
  refusal_changes_nothing();
  return test_end();
}
