// The state hash: what it must not depend on, and what must change it.
#include "particles/state_hash.h"

#include "base/hash.h"
#include "store_kit.h"
#include "test.h"

static mote_state_hash hash_of(const mote_store *store) {
  mote_arena scratch = mote_arena_make(NULL);
  mote_state_hash hash;
  CHECK(mote_store_hash(store, &scratch, &hash, NULL) == MOTE_OK);
  mote_arena_destroy(&scratch);
  return hash;
}

// What mote_hash_mix gives, summed by hand for one field of two rows: the definition in state_hash.h is
// part of golden tests, so it must not drift.
static void is_what_it_says(void) {
  mote_store store = mote_store_make(&mote_particle_table, NULL);
  size_t block;
  mote_store_add_block(&store, 1 << MOTE_GROUP_FLUID, 2, &block, NULL);
  mote_store_f32(&store, MOTE_PARTICLE_MASS)[0] = 1.0f;
  mote_store_f32(&store, MOTE_PARTICLE_MASS)[1] = 2.0f;
  uint64_t expected =
      mote_hash_mix(mote_hash_mix(0) ^ 0x3f800000) + mote_hash_mix(mote_hash_mix(1) ^ 0x40000000);
  CHECK(hash_of(&store).field[MOTE_PARTICLE_MASS] == expected);
  CHECK(hash_of(&store).field[MOTE_PARTICLE_ACCELERATION] == 0);
  mote_store_destroy(&store);
}

static void every_bit_of_every_saved_field_counts(void) {
  mote_store store = kit_store(NULL, 30, 1);
  uint64_t hash = kit_hash(&store);
  for (int f = 0; f < THING_FIELD_COUNT; ++f) {
    const mote_field *field = &thing_table.field[f];
    mote_field_view view = mote_store_view(&store, field->name, MOTE_ALL_BLOCKS);
    unsigned char *bytes = view.data;
    for (size_t k = 0; k < view.count * mote_field_size(field); ++k) {
      bytes[k] ^= (unsigned char)(1 << k % 8);
      bool changed = kit_hash(&store) != hash;
      CHECK(changed == mote_field_saved(field));
      bytes[k] ^= (unsigned char)(1 << k % 8);
    }
  }
  CHECK(kit_hash(&store) == hash);
  mote_store_destroy(&store);
}

// Two rows exchange one value, two fields exchange all values: sums of plain value hashes would not see it.
static void exchanged_values_count(void) {
  mote_store store = mote_store_make(&mote_particle_table, NULL);
  size_t block;
  mote_store_add_block(&store, 1 << MOTE_GROUP_FLUID, 2, &block, NULL);
  float *mass = mote_store_f32(&store, MOTE_PARTICLE_MASS);
  mass[0] = 1.0f, mass[1] = 2.0f;
  mote_state_hash hash = hash_of(&store), swapped = hash;
  uint64_t before = kit_hash(&store);
  mass[0] = 2.0f, mass[1] = 1.0f;
  CHECK(kit_hash(&store) != before);
  swapped.field[MOTE_PARTICLE_MASS] = hash.field[MOTE_PARTICLE_ID];
  swapped.field[MOTE_PARTICLE_ID] = hash.field[MOTE_PARTICLE_MASS];
  CHECK(mote_state_hash_total(&mote_particle_table, &swapped) != before);
  mote_store_destroy(&store);
}

static void parts_add_up(void) {
  mote_store whole = kit_store(NULL, 300, 1), part = kit_store(NULL, 300, 1), rest = kit_store(NULL, 300, 1);
  for (size_t b = 0; b < 3; ++b) {
    uint8_t in_part[200], in_rest[200];
    for (size_t r = 0; r < whole.block[b].count; ++r) in_part[r] = r % 3 == 0, in_rest[r] = !in_part[r];
    mote_store_remove(&part, b, in_rest);
    mote_store_remove(&rest, b, in_part);
  }
  mote_state_hash sum = hash_of(&part), other = hash_of(&rest), expected = hash_of(&whole);
  for (int f = 0; f < MOTE_FIELD_MAX; ++f) {
    sum.field[f] += other.field[f];
    sum.used[f] = sum.used[f] || other.used[f];
  }
  CHECK(memcmp(&sum, &expected, sizeof sum) == 0);
  CHECK(mote_state_hash_total(&thing_table, &sum) == kit_hash(&whole));
  mote_store_destroy(&whole);
  mote_store_destroy(&part);
  mote_store_destroy(&rest);
}

static void nothing_has_a_hash(void) {
  mote_store a = mote_store_make(&thing_table, NULL), b = mote_store_make(&thing_table, NULL);
  size_t block;
  mote_store_add_block(&b, WARM, 0, &block, NULL);
  CHECK(kit_hash(&a) == kit_hash(&b));
  mote_store_destroy(&a);
  mote_store_destroy(&b);
}

int main(void) {
  is_what_it_says();
  every_bit_of_every_saved_field_counts();
  exchanged_values_count();
  parts_add_up();
  nothing_has_a_hash();
  return test_end();
}
