// The store: new rows, blocks and groups, removal, views, refusal of memory.
#include "particles/store.h"

#include <math.h>

#include "store_kit.h"
#include "test.h"

static void new_rows_have_ids_and_initial_values(void) {
  mote_store store = mote_store_make(&thing_table, NULL);
  size_t block;
  CHECK(mote_store_add_block(&store, WARM, 3, &block, NULL) == MOTE_OK && block == 0);
  CHECK(mote_store_resize(&store, 0, 5, NULL) == MOTE_OK);
  CHECK(store.count[0] == 5 && store.count[MOTE_GROUP_WARM] == 5 && store.count[MOTE_GROUP_SOFT] == 0);
  CHECK(store.next_id == 5);
  for (size_t r = 0; r < 5; ++r) {
    CHECK(mote_store_ids(&store)[r] == r);
    CHECK(mote_store_f32(&store, THING_SPEED)[3 * r + 2] == 1.5f);
    CHECK(mote_store_f32(&store, THING_HEAT)[r] == 293.15f);
    CHECK(mote_store_u32(&store, THING_COLOUR)[r] == 42);
    CHECK(mote_store_u8(&store, THING_FLAGS)[r] == 7);
    CHECK(isnan(mote_store_f64(&store, THING_PLACE)[3 * r]));
  }
  CHECK(!mote_store_has(&store, THING_STRAIN, 0));
  CHECK(mote_store_add_block(&store, SOFT, 1, &block, NULL) == MOTE_OK);
  CHECK(mote_store_i32(&store, THING_CRACK)[1] == -3);
  mote_store_destroy(&store);
  CHECK(store.count[0] == 0 && store.blocks == 0);
}

static void debug_builds_forget_derived_values(void) {
#ifdef MOTE_ASSERTS
  mote_store store = kit_store(NULL, 30, 1);
  float *force = mote_store_f32(&store, THING_FORCE);
  CHECK(isnan(force[0]) && isnan(force[3 * store.count[0] - 1]));
  for (size_t k = 0; k < 3 * store.count[0]; ++k) force[k] = 1.0f;
  uint64_t hash = kit_hash(&store);
  mote_store_forget_derived(&store);
  CHECK(isnan(force[0]) && isnan(force[3 * store.count[0] - 1]));
  CHECK(kit_hash(&store) == hash);
  mote_store_destroy(&store);
#endif
}

static void ids_are_never_used_twice(void) {
  mote_store store = mote_store_make(&mote_particle_table, NULL);
  size_t block;
  mote_store_add_block(&store, 0, 4, &block, NULL);
  mote_store_remove(&store, block, (const uint8_t[4]){0, 0, 0, 1});
  mote_store_resize(&store, block, 4, NULL);
  CHECK(mote_store_ids(&store)[3] == 4);
  mote_store_destroy(&store);
}

static void views_show_fields_by_name(void) {
  mote_store store = kit_store(NULL, 9, 1);
  mote_field_view all = mote_store_view(&store, "heat", MOTE_ALL_BLOCKS);
  CHECK(all.count == 3 + 5 && all.type == MOTE_TYPE_F32 && all.components == 1);
  CHECK(all.data == mote_store_f32(&store, THING_HEAT));
  CHECK_TEXT(all.name, "heat");
  CHECK_TEXT(all.unit, "K");
  mote_field_view last = mote_store_view(&store, "heat", 2);
  CHECK(last.count == 5 && last.data == mote_store_f32(&store, THING_HEAT) + 3);
  CHECK(mote_store_view(&store, "heat", 1).data == NULL && mote_store_view(&store, "heat", 1).count == 0);
  CHECK(mote_store_view(&store, "head", MOTE_ALL_BLOCKS).data == NULL);
  CHECK(mote_store_view(&store, "heat", 3).data == NULL);
  mote_store_destroy(&store);
}

static void rows_know_their_block(void) {
  mote_store store = mote_store_make(&mote_particle_table, NULL);
  const size_t counts[] = {0, 2, 0, 0, 3, 1, 0};
  size_t block, row = 0;
  for (size_t b = 0; b < 7; ++b) mote_store_add_block(&store, 0, counts[b], &block, NULL);
  for (size_t b = 0; b < 7; ++b) {
    for (size_t k = 0; k < counts[b]; ++k) CHECK(mote_store_block_of(&store, row++) == b);
  }
  mote_store_destroy(&store);
}

static void one_row_of_scalars_needs_no_ids(void) {
  static const mote_field field[] = {{"time", MOTE_TYPE_F64, 1, 0, MOTE_KEPT_REQUIRED, 0, "s", "step", ""}};
  const mote_table table = {"world", field, 1, thing_group, 1, -1, 1};
  mote_store store = mote_store_make(&table, NULL);
  size_t block;
  CHECK(mote_store_add_block(&store, 0, 1, &block, NULL) == MOTE_OK);
  CHECK(mote_store_ids(&store) == NULL && store.next_id == 0);
  *mote_store_f64(&store, 0) = 2.0;
  uint64_t hash = kit_hash(&store);
  *mote_store_f64(&store, 0) = 3.0;
  CHECK(kit_hash(&store) != hash);
  mote_store_destroy(&store);
}

// Growing and adding with memory refused at every possible call: the store is as before.
static void refused_memory_changes_nothing(void) {
  kit_memory memory;
  mote_env env = kit_env(&memory);
  const size_t fields = THING_FIELD_COUNT;  // each takes memory once to grow, once to add; so does the block
  for (size_t refuse = 0; refuse < 2 * fields + 4; ++refuse) {
    memory.refuse = SIZE_MAX;
    mote_store store = kit_store(&env, 30, 7);
    uint64_t hash = kit_hash(&store);
    mote_error error;
    size_t block;
    memory.refuse = memory.calls + refuse;
    mote_result grown = mote_store_resize(&store, 2, 1000, &error);
    CHECK(grown == (refuse < fields ? MOTE_ERROR_MEMORY : MOTE_OK));
    if (grown != MOTE_OK) CHECK(kit_hash(&store) == hash && store.count[0] == 33 && error.code == grown);
    mote_result added = mote_store_add_block(&store, WARM | SOFT, 5000, &block, &error);
    CHECK((added == MOTE_OK) == (refuse >= 2 * fields + 1));
    CHECK(store.blocks == (added == MOTE_OK ? 4 : 3));
    CHECK(mote_store_resize(&store, 0, SIZE_MAX / 8, &error) == MOTE_ERROR_MEMORY);
    CHECK(mote_store_resize(&store, 0, SIZE_MAX, &error) == MOTE_ERROR_MEMORY);
    mote_store_destroy(&store);
    CHECK(memory.live == 0);
  }
}

int main(void) {
  new_rows_have_ids_and_initial_values();
  debug_builds_forget_derived_values();
  ids_are_never_used_twice();
  views_show_fields_by_name();
  rows_know_their_block();
  one_row_of_scalars_needs_no_ids();
  refused_memory_changes_nothing();
  return test_end();
}
