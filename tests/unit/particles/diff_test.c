// Comparison of stores: matched by id and name, and measured.
#include "particles/diff.h"

#include <math.h>

#include "particles/sort.h"
#include "store_kit.h"
#include "test.h"

static mote_diff compare(const mote_store *a, const mote_store *b, bool derived) {
  mote_arena scratch = mote_arena_make(NULL);
  mote_diff diff;
  CHECK(mote_store_diff(a, b, derived, &scratch, &diff, NULL) == MOTE_OK);
  mote_arena_destroy(&scratch);
  return diff;
}

static const mote_field_diff *find(const mote_diff *diff, const char *name) {
  for (int f = 0; f < diff->fields; ++f) {
    if (strcmp(diff->field[f].name, name) == 0) return &diff->field[f];
  }
  return NULL;
}

static void reverse(mote_store *store, size_t block) {
  mote_arena scratch = mote_arena_make(NULL);
  uint32_t from[1000];
  size_t count = store->block[block].count;
  for (size_t k = 0; k < count; ++k) from[k] = (uint32_t)(count - 1 - k);
  CHECK(mote_store_permute(store, block, from, &scratch, NULL) == MOTE_OK);
  mote_arena_destroy(&scratch);
}

static void order_does_not_matter(void) {
  mote_store a = kit_store(NULL, 300, 1), b = kit_store(NULL, 300, 1);
  for (size_t k = 0; k < 3; ++k) reverse(&b, k);
  mote_diff diff = compare(&a, &b, false);
  CHECK(diff.same && diff.rows == a.count[0] && diff.fields == 8);
  CHECK(find(&diff, "heat")->compared == a.count[MOTE_GROUP_WARM] && find(&diff, "force") == NULL);
  mote_store_destroy(&a);
  mote_store_destroy(&b);
}

static void differences_are_measured(void) {
  mote_store a = kit_store(NULL, 300, 1), b = kit_store(NULL, 300, 1);
  for (size_t k = 0; k < 3; ++k) reverse(&b, k);
  size_t row = 17;  // of a; in b it lies elsewhere in the same block
  size_t other = a.block[0].count - 1 - row;
  double *x = mote_store_f64(&a, THING_PLACE), *y = mote_store_f64(&b, THING_PLACE);
  x[3 * row + 1] = 1.0, y[3 * other + 1] = 1.0 + 3 * 0x1p-52;
  x[3 * 3] = 8.0, y[3 * (a.block[0].count - 1 - 3)] = 6.0;
  mote_store_i32(&a, THING_CRACK)[0] = -5, mote_store_i32(&b, THING_CRACK)[2 * (a.block[1].count - 1)] = 7;
  mote_store_u8(&a, THING_FLAGS)[0] = 250, mote_store_u8(&b, THING_FLAGS)[a.block[0].count - 1] = 10;
  mote_diff diff = compare(&a, &b, false);
  const mote_field_diff *place = find(&diff, "place");
  CHECK(!diff.same && place->differing == 2 && place->first_id == 3);
  CHECK(place->absolute == 2.0 && place->relative == 0.25 && place->ulps == UINT64_C(1) << 51);
  const mote_field_diff *crack = find(&diff, "crack"), *flags = find(&diff, "flags");
  CHECK(crack->differing == 1 && crack->absolute == 12.0 && crack->ulps == 12);
  CHECK_NEAR(crack->relative, 12.0 / 7.0, 0);
  CHECK(crack->first_id == a.block[1].first[0]);
  CHECK(flags->absolute == 240.0 && flags->relative == 240.0 / 250.0 && flags->first_id == 0);
  CHECK(find(&diff, "speed")->differing == 0);
  x[3 * 3] = 6.0;
  diff = compare(&a, &b, false);
  CHECK(find(&diff, "place")->ulps == 3 && find(&diff, "place")->first_id == row);
  mote_store_destroy(&a);
  mote_store_destroy(&b);
}

// One pair of floats in otherwise equal stores.
static mote_field_diff compare_floats(float x, float y) {
  mote_store a = mote_store_make(&mote_particle_table, NULL), b = mote_store_make(&mote_particle_table, NULL);
  size_t block;
  mote_store_add_block(&a, 1 << MOTE_GROUP_FLUID, 1, &block, NULL);
  mote_store_add_block(&b, 1 << MOTE_GROUP_FLUID, 1, &block, NULL);
  mote_store_f32(&a, MOTE_PARTICLE_MASS)[0] = x;
  mote_store_f32(&b, MOTE_PARTICLE_MASS)[0] = y;
  mote_diff diff = compare(&a, &b, false);
  mote_field_diff mass = *find(&diff, "mass");
  CHECK(diff.same == (mass.differing == 0));
  mote_store_destroy(&a);
  mote_store_destroy(&b);
  return mass;
}

static void special_values_are_measured(void) {
  mote_field_diff d = compare_floats(0.0f, -0.0f);
  CHECK(d.differing == 1 && d.absolute == 0 && d.ulps == 0);
  d = compare_floats(0x1p-149f, -0x1p-149f);
  CHECK(d.differing == 1 && d.ulps == 2 && d.relative == 2);
  d = compare_floats(NAN, NAN);
  CHECK(d.differing == 0);
  d = compare_floats(NAN, 1.0f);
  CHECK(d.differing == 1 && isinf(d.absolute) && isinf(d.relative) && d.ulps == UINT64_MAX);
  d = compare_floats(INFINITY, INFINITY);
  CHECK(d.differing == 0);
  d = compare_floats(INFINITY, -INFINITY);
  CHECK(d.differing == 1 && isinf(d.absolute) && d.ulps == UINT64_MAX);
  d = compare_floats(-3e38f, 3e38f);
  CHECK(d.relative == 2 && d.absolute == 2.0 * (double)3e38f);
}

static void rows_and_fields_of_one_only(void) {
  mote_store a = kit_store(NULL, 30, 1), b = kit_store(NULL, 30, 1);
  uint8_t gone[16] = {0};
  gone[4] = gone[7] = 1;
  mote_store_remove(&a, 1, gone);
  gone[4] = 0, gone[9] = 1;
  mote_store_remove(&b, 1, gone);
  size_t first = a.block[1].first[0];
  mote_diff diff = compare(&a, &b, false);
  CHECK(!diff.same && diff.only_a == 1 && diff.only_b == 1 && diff.rows == 33 - 3);
  CHECK(diff.first_only_a == first + 9 && diff.first_only_b == first + 4);
  CHECK(find(&diff, "strain")->differing == 0 && find(&diff, "strain")->compared == 11 + 12 - 3);
  mote_store_destroy(&b);
  // The same rows with other groups, in a table with one field more, one less and one unlike.
  mote_field field[THING_FIELD_COUNT];
  memcpy(field, thing_field, sizeof field);
  field[THING_FLAGS].name = "marks";
  field[THING_SPEED].unit = "km/h";
  mote_table table = thing_table;
  table.field = field;
  b = mote_store_make(&table, NULL);
  size_t block;
  mote_store_add_block(&b, WARM, 33, &block, NULL);
  diff = compare(&b, &a, true);
  CHECK(diff.only_a == 2 && diff.only_b == 0 && diff.fields == THING_FIELD_COUNT + 1);
  CHECK(find(&diff, "marks")->match == MOTE_MATCH_ONLY_A && find(&diff, "flags")->match == MOTE_MATCH_ONLY_B);
  CHECK(find(&diff, "speed")->match == MOTE_MATCH_UNLIKE && find(&diff, "place")->match == MOTE_MATCH_BOTH);
  CHECK(find(&diff, "heat")->only_a == 9 && find(&diff, "heat")->compared == 10 + 12);
  CHECK(find(&diff, "strain")->only_b == 9 + 12 && find(&diff, "strain")->compared == 0);
  CHECK(find(&diff, "force")->match == MOTE_MATCH_BOTH);
  mote_store_destroy(&a);
  mote_store_destroy(&b);
}

static void rows_without_ids_match_by_place(void) {
  static const mote_field field[] = {{"time", MOTE_TYPE_F64, 1, 0, MOTE_KEPT_OPTIONAL, 1, "s", "step", ""}};
  const mote_table table = {"world", field, 1, thing_group, 1, -1, 1};
  mote_store a = mote_store_make(&table, NULL), b = mote_store_make(&table, NULL);
  size_t block;
  mote_store_add_block(&a, 0, 3, &block, NULL);
  mote_store_add_block(&b, 0, 2, &block, NULL);
  mote_store_f64(&b, 0)[1] = 4.0;
  mote_diff diff = compare(&a, &b, false);
  CHECK(diff.rows == 2 && diff.only_a == 1 && diff.first_only_a == 2);
  CHECK(diff.field[0].differing == 1 && diff.field[0].first_id == 1 && diff.field[0].absolute == 3.0);
  mote_store_destroy(&a);
  mote_store_destroy(&b);
}

static void refused_memory_is_told(void) {
  kit_memory memory;
  mote_env env = kit_env(&memory);
  mote_store a = kit_store(NULL, 60000, 1);
  mote_result result = MOTE_ERROR_MEMORY;
  size_t tries = 0;
  for (; result != MOTE_OK && tries < 20; ++tries) {
    mote_arena scratch = mote_arena_make(&env);
    memory.refuse = memory.calls + tries;
    mote_diff diff;
    result = mote_store_diff(&a, &a, false, &scratch, &diff, NULL);
    CHECK(result == MOTE_ERROR_MEMORY || diff.same);
    mote_arena_destroy(&scratch);
    CHECK(memory.live == 0);
  }
  CHECK(result == MOTE_OK && tries > 1);
  mote_store_destroy(&a);
}

int main(void) {
  order_does_not_matter();
  differences_are_measured();
  special_values_are_measured();
  rows_and_fields_of_one_only();
  rows_without_ids_match_by_place();
  refused_memory_is_told();
  return test_end();
}
