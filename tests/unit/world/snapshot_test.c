// Snapshots: all state and that of the frame's beginning come back; what is cut, damaged, foreign or of
// another scene is refused with the world as before; and the same as tables.
#include <mote/snapshot.h>

#include "matter/bodies.h"
#include "store_kit.h"
#include "test.h"
#include "world_kit.h"

static mote_world *moving_world(world_kit *kit, double until) {
  world_kit_everything(kit, 2, 0.1);
  mote_world *world = world_kit_create(kit, NULL);
  if (until > 0.0) CHECK(mote_world_advance(world, until, NULL) == MOTE_OK);
  return world;
}

static void all_comes_back(void) {
  world_kit kit;
  mote_world *a = moving_world(&kit, 0.3), *b = moving_world(&kit, 0.0);
  CHECK(mote_world_begin_frame(a, NULL) == MOTE_OK && mote_world_step(a, 0.4, NULL) == MOTE_OK);
  kit_bytes bytes = world_kit_save(a);
  CHECK(world_kit_load(b, &bytes, NULL) == MOTE_OK);
  CHECK(mote_world_hash(a) == mote_world_hash(b) && mote_world_time(b) == mote_world_time(a));
  CHECK(mote_world_steps(b) == mote_world_steps(a) && mote_world_particles(b) == mote_world_particles(a));
  kit_bytes again = world_kit_save(b);  // rows may be in another order: only the size must agree
  CHECK(again.size == bytes.size);
  mote_totals ta, tb;
  CHECK(mote_world_totals(a, &ta, NULL) == MOTE_OK && mote_world_totals(b, &tb, NULL) == MOTE_OK);
  CHECK(ta.emitted == tb.emitted && ta.drained == tb.drained && ta.emitted > 0);
  CHECK(mote_world_advance(a, 0.6, NULL) == MOTE_OK && mote_world_advance(b, 0.6, NULL) == MOTE_OK);
  CHECK(mote_world_hash(a) == mote_world_hash(b));
  mote_world_destroy(a);
  mote_world_destroy(b);
  free(bytes.data);
  free(again.data);
}

// Before the first frame there is none to go back to.
static void a_fresh_world_comes_back(void) {
  world_kit kit;
  mote_world *a = moving_world(&kit, 0.0), *b = moving_world(&kit, 0.2);
  kit_bytes bytes = world_kit_save(a);
  CHECK(world_kit_load(b, &bytes, NULL) == MOTE_OK && mote_world_hash(a) == mote_world_hash(b));
  CHECK(mote_world_advance(a, 0.1, NULL) == MOTE_OK && mote_world_advance(b, 0.1, NULL) == MOTE_OK);
  CHECK(mote_world_hash(a) == mote_world_hash(b));
  mote_world_destroy(a);
  mote_world_destroy(b);
  free(bytes.data);
}

static bool same_field(const mote_world *a, const mote_world *b, const char *name) {
  mote_field_view x = mote_world_view(a, name), y = mote_world_view(b, name);
  size_t bytes = x.count * (size_t)x.components * mote_type_size(x.type);
  return x.count == y.count && x.data != y.data && memcmp(x.data, y.data, bytes) == 0;
}

// In the middle of a frame and before the first one; derived fields, ledger and report, too.
static void a_copy_is_the_same(void) {
  world_kit kit, other_kit;
  mote_world *a = moving_world(&kit, 0.3), *b = moving_world(&kit, 0.1), *fresh = moving_world(&kit, 0.0);
  CHECK(mote_world_keep_ledger(a, true, NULL) == MOTE_OK && mote_world_step(a, 0.4, NULL) == MOTE_OK);
  uint64_t generation = mote_world_generation(b);
  CHECK(mote_world_copy(b, a, NULL) == MOTE_OK && mote_world_hash(a) == mote_world_hash(b));
  CHECK(mote_world_generation(b) > generation);
  CHECK(same_field(a, b, "position") && same_field(a, b, "density") && same_field(a, b, "wall_distance"));
  CHECK(mote_world_report(a).step == mote_world_report(b).step && mote_world_report(b).step > 0.0);
  CHECK(mote_world_advance(a, 0.6, NULL) == MOTE_OK && mote_world_advance(b, 0.6, NULL) == MOTE_OK);
  CHECK(mote_world_hash(a) == mote_world_hash(b));
  mote_ledger_entry x, y;
  CHECK(mote_world_ledger(a, 0, &x) && mote_world_ledger(b, 0, &y) && x.energy == y.energy);
  CHECK(mote_world_copy(a, fresh, NULL) == MOTE_OK && mote_world_hash(a) == mote_world_hash(fresh));
  CHECK(mote_world_advance(a, 0.1, NULL) == MOTE_OK && mote_world_advance(fresh, 0.1, NULL) == MOTE_OK);
  CHECK(mote_world_hash(a) == mote_world_hash(fresh) && !mote_world_ledger(a, 0, &x));
  world_kit_everything(&other_kit, 2, 0.1);
  other_kit.body[0].spin[2] = 1e-9;
  mote_world *other = world_kit_create(&other_kit, NULL);
  mote_error error;
  uint64_t before = mote_world_hash(other);
  CHECK(mote_world_copy(other, a, &error) == MOTE_ERROR_ARGUMENT && mote_world_hash(other) == before);
  CHECK(strstr(error.text, "different scenes") != NULL);
  CHECK(mote_world_copy(a, a, NULL) == MOTE_OK && mote_world_copy(NULL, a, NULL) == MOTE_ERROR_ARGUMENT);
  mote_world_destroy(a);
  mote_world_destroy(b);
  mote_world_destroy(fresh);
  mote_world_destroy(other);
}

static void refuses_saved(const mote_world *a, mote_world *b, const char *text) {
  mote_error error = {0};
  kit_bytes bytes = world_kit_save(a);
  uint64_t before = mote_world_hash(b);
  CHECK(world_kit_load(b, &bytes, &error) == MOTE_ERROR_FORMAT && mote_world_hash(b) == before);
  CHECK_TEXT(error.text, text);
  free(bytes.data);
}

// Whole and with right checksums, but of a state that cannot be.
static void the_impossible_is_refused(void) {
  world_kit kit;
  mote_world *a = moving_world(&kit, 0.3), *b = moving_world(&kit, 0.1);
  uint64_t *id = mote_store_u64(mote_world_store(a), MOTE_PARTICLE_ID), own = id[1];
  id[1] = id[0];
  refuses_saved(a, b, "the snapshot holds impossible ids of particles");
  id[1] = mote_world_store(a)->next_id;
  refuses_saved(a, b, "the snapshot holds impossible ids of particles");
  id[1] = own;
  mote_store_u32(mote_bodies(a), MOTE_BODY_PARENT)[0] = UINT32_MAX;
  refuses_saved(a, b, "the snapshot does not fit the world");
  mote_world_destroy(a);
  mote_world_destroy(b);
}

static void the_damaged_is_refused(void) {
  world_kit kit;
  mote_world *a = moving_world(&kit, 0.3), *b = moving_world(&kit, 0.1);
  kit_bytes bytes = world_kit_save(a);
  uint64_t before = mote_world_hash(b);
  size_t size = bytes.size;
  for (size_t cut = 0; cut < size; cut += 97) {
    bytes.size = cut;
    CHECK(world_kit_load(b, &bytes, NULL) == MOTE_ERROR_FORMAT);
  }
  bytes.size = size;
  for (size_t at = 0; at < size; at += 61) {
    bytes.data[at] ^= 4;
    mote_snapshot *snapshot = NULL;
    CHECK(world_kit_load(b, &bytes, NULL) == MOTE_ERROR_FORMAT);
    bytes.at = 0;
    CHECK(mote_snapshot_read(kit_read, &bytes, size, NULL, &snapshot, NULL) == MOTE_ERROR_FORMAT);
    bytes.data[at] ^= 4;
  }
  mote_error error;
  CHECK(kit_write(&bytes, "x", 1) && world_kit_load(b, &bytes, &error) == MOTE_ERROR_FORMAT);
  CHECK(strstr(error.text, "1 bytes follow its end") != NULL);
  CHECK(mote_world_hash(b) == before);
  mote_world_destroy(a);
  mote_world_destroy(b);
  free(bytes.data);
}

static void the_foreign_is_refused(void) {
  world_kit kit;
  mote_world *a = moving_world(&kit, 0.1);
  kit_bytes bytes = world_kit_save(a);
  kit.body[0].spin[2] = 1e-9;
  mote_world *b = world_kit_create(&kit, NULL);
  mote_error error;
  CHECK(world_kit_load(b, &bytes, &error) == MOTE_ERROR_FORMAT);
  CHECK(strstr(error.text, "another scene") != NULL);
  kit_bytes text = {0};
  CHECK(kit_write(&text, "solid cube, made elsewhere; nothing of ours", 43));
  CHECK(world_kit_load(b, &text, &error) == MOTE_ERROR_FORMAT);
  CHECK_TEXT(error.text, "not a snapshot of a Mote world");
  bytes.data[8] = 9;
  CHECK(world_kit_load(b, &bytes, &error) == MOTE_ERROR_FORMAT && strstr(error.text, "version 9") != NULL);
  mote_world_destroy(a);
  mote_world_destroy(b);
  free(bytes.data);
  free(text.data);
}

static bool refuse_write(void *user, const void *bytes, size_t size) {
  (void)bytes, (void)size;
  size_t *left = user;
  return (*left)-- > 0;
}

static void the_outside_may_refuse(void) {
  world_kit kit;
  mote_world *a = moving_world(&kit, 0.1);
  mote_result result = MOTE_ERROR_FILE;
  size_t granted = 0;
  for (; result != MOTE_OK && granted < 200; ++granted) {
    size_t left = granted;
    result = mote_world_save(a, refuse_write, &left, NULL);
    CHECK(result == MOTE_OK || result == MOTE_ERROR_FILE);
  }
  CHECK(granted > 20 && granted < 200);
  mote_world_destroy(a);
}

// Out of memory at any moment of a load: the world is as before, and nothing is lost.
static void memory_may_be_refused(bool copies) {
  world_kit kit;
  mote_world *a = moving_world(&kit, 0.2);
  kit_bytes bytes = world_kit_save(a);
  kit_memory memory;
  mote_env env = kit_env(&memory);
  mote_world *b = world_kit_create(&kit, &env);
  uint64_t before = mote_world_hash(b);
  mote_result result = MOTE_ERROR_MEMORY;
  size_t tries = 0;
  for (; result != MOTE_OK && tries < 500; ++tries) {
    memory.refuse = memory.calls + tries;
    result = copies ? mote_world_copy(b, a, NULL) : world_kit_load(b, &bytes, NULL);
    memory.refuse = SIZE_MAX;
    CHECK(mote_world_hash(b) == (result == MOTE_OK ? mote_world_hash(a) : before));
    CHECK(result == MOTE_OK || result == MOTE_ERROR_MEMORY);
  }
  CHECK(result == MOTE_OK && tries > 30);
  mote_world_destroy(a);
  mote_world_destroy(b);
  CHECK(memory.live == 0);
  free(bytes.data);
}

static mote_snapshot *read_tables(kit_bytes *bytes) {
  mote_snapshot *snapshot = NULL;
  bytes->at = 0;
  CHECK(mote_snapshot_read(kit_read, bytes, bytes->size, NULL, &snapshot, NULL) == MOTE_OK);
  return snapshot;
}

static void tables_say_what_is_in_it(void) {
  world_kit kit;
  mote_world *a = moving_world(&kit, 0.2);
  kit_bytes one = world_kit_save(a);
  CHECK(mote_world_step(a, 0.3, NULL) == MOTE_OK);
  kit_bytes two = world_kit_save(a);
  mote_snapshot *s = read_tables(&one), *t = read_tables(&two);
  mote_snapshot_info info = mote_snapshot_about(t);
  CHECK(info.time == mote_world_time(a) && info.step == mote_world_steps(a));
  CHECK(info.particles == mote_world_particles(a) && info.state == mote_world_hash(a));
  CHECK(mote_snapshot_tables(s) == 12 && mote_snapshot_find(s, "frame particles") == 8);
  CHECK(mote_snapshot_find(s, "frame") == -1 && mote_snapshot_table(s, 12, NULL) == NULL);
  size_t rows;
  CHECK_TEXT(mote_snapshot_table(s, 1, &rows), "emitters");
  CHECK(rows == 1 && mote_snapshot_view(s, 2, 99).name == NULL && mote_snapshot_view(s, -1, 0).name == NULL);
  CHECK_TEXT(mote_snapshot_view(s, 2, 1).name, "position");
  CHECK_TEXT(mote_snapshot_group(s, 2, 1), "all");
  CHECK_TEXT(mote_snapshot_group(s, 2, 2), "fluid");
  CHECK(mote_snapshot_group(s, 2, 99) == NULL && mote_snapshot_group(s, 99, 0) == NULL);
  mote_diff d;
  CHECK(mote_snapshot_diff(s, 2, s, 2, &d, NULL) == MOTE_OK && d.same && d.rows > 0);
  CHECK(mote_snapshot_diff(s, 2, t, 2, &d, NULL) == MOTE_OK && !d.same && d.field[1].differing > 0);
  CHECK(mote_snapshot_diff(s, 2, t, 8, &d, NULL) == MOTE_OK && d.same);  // where the second frame began
  CHECK(mote_snapshot_diff(s, 2, t, 12, &d, NULL) == MOTE_ERROR_ARGUMENT);
  mote_snapshot_destroy(s);
  mote_snapshot_destroy(t);
  mote_world_destroy(a);
  free(one.data);
  free(two.data);
}

int main(void) {
  all_comes_back();
  a_fresh_world_comes_back();
  a_copy_is_the_same();
  the_impossible_is_refused();
  the_damaged_is_refused();
  the_foreign_is_refused();
  the_outside_may_refuse();
  memory_may_be_refused(false);
  memory_may_be_refused(true);
  tables_say_what_is_in_it();
  return test_end();
}
