// Archives: there and back, by name, and every way in which one can be wrong.
#include "particles/archive.h"

#include "base/hash.h"
#include "particles/diff.h"
#include "store_kit.h"
#include "test.h"

static bool same(const mote_store *a, const mote_store *b) {
  mote_arena scratch = mote_arena_make(NULL);
  mote_diff diff;
  CHECK(mote_store_diff(a, b, false, &scratch, &diff, NULL) == MOTE_OK);
  mote_arena_destroy(&scratch);
  return diff.same;
}

static void comes_back_with_the_same_bits(void) {
  for (size_t rows = 0; rows < 3000; rows = 7 * rows + 1) {
    mote_store a = kit_store(NULL, rows, 1), b = mote_store_make(&thing_table, NULL);
    a.next_id = 12345678901234567890u;
    kit_bytes bytes = kit_save(&a);
    CHECK(kit_load(&bytes, &b, NULL) == MOTE_OK && bytes.at == bytes.size);
    CHECK(same(&a, &b) && kit_hash(&a) == kit_hash(&b) && b.next_id == a.next_id);
    CHECK(b.blocks == a.blocks && memcmp(b.block, a.block, a.blocks * sizeof *a.block) == 0);
    kit_bytes again = kit_save(&b);
    CHECK(again.size == bytes.size && memcmp(again.data, bytes.data, bytes.size) == 0);
    mote_store_destroy(&a);
    mote_store_destroy(&b);
    free(bytes.data);
    free(again.data);
  }
}

// Saved fields and groups of particles.
enum { GROUPS = MOTE_PARTICLE_GROUPS };
static size_t saved_fields(void) {
  size_t count = 0;
  for (int f = 0; f < mote_particle_table.fields; ++f)
    count += mote_field_saved(&mote_particle_table.field[f]);
  return count;
}

// The bytes of docs/formats.md, at their offsets.
static void is_laid_out_as_documented(void) {
  mote_store store = mote_store_make(&mote_particle_table, NULL);
  size_t block;
  mote_store_add_block(&store, 1 << MOTE_GROUP_FLUID, 2, &block, NULL);
  mote_store_f32(&store, MOTE_PARTICLE_MASS)[1] = 1.0f;
  kit_bytes b = kit_save(&store);
  const unsigned char begin[] = {
      0x89, 'M', 'O', 'T',    'E', 13, 10, 26, 1, 0, 0, 0, (unsigned char)saved_fields(),
      0,    0,   0,   GROUPS, 0,   0,  0,  1,  0, 0, 0};
  CHECK(memcmp(b.data, begin, sizeof begin) == 0);
  const unsigned char values = 2 * (8 + 24 + 12 + 4 + 4 + 4 + 4);
  CHECK(b.data[24] == 1 && b.data[32] == 2 && b.data[40] == 2 && b.data[48] == values);
  CHECK_TEXT((char *)b.data + 56, "particles");
  CHECK_TEXT((char *)b.data + 88 + 32, "fluid");
  const unsigned char *mass = b.data + 88 + GROUPS * 32 + 3 * 80;
  CHECK_TEXT((const char *)mass, "mass");
  CHECK_TEXT((const char *)mass + 32, "kg");
  const unsigned char numbers[] = {0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0};
  CHECK(memcmp(mass + 48, numbers, sizeof numbers) == 0);
  size_t head = 88 + GROUPS * 32 + saved_fields() * 80 + 1 * 16;
  uint64_t checksum = mote_hash_bytes(0, b.data, head);
  CHECK(memcmp(b.data + head, &checksum, 8) == 0);
  const unsigned char *masses = b.data + head + 8 + 2 * (8 + 24 + 12);
  checksum = mote_hash_bytes(0, masses, 8);
  CHECK(memcmp(mass + 72, &checksum, 8) == 0);
  CHECK(masses[7] == 0x3f && masses[6] == 0x80 && b.size == head + 8 + values);
  mote_store_destroy(&store);
  free(b.data);
}

static void checksums_sum_over_pieces(void) {
  enum { SIZE = 300 * 4096 + 5 };
  unsigned char *values = malloc(SIZE);
  for (size_t k = 0; k < SIZE; ++k) values[k] = (unsigned char)mote_random(1, 0, k).v[0];
  uint64_t sum = mote_hash_bytes(300, values + 300 * 4096, 5);
  for (size_t k = 0; k < 300; ++k) sum += mote_hash_bytes(k, values + k * 4096, 4096);
  for (int threads = 1; threads < 8; ++threads) CHECK(mote_archive_checksum(values, SIZE, 0, threads) == sum);
  CHECK(mote_archive_checksum(values, 7 * 4096, 0, 2) +
            mote_archive_checksum(values + 7 * 4096, SIZE - 7 * 4096, 7, 2) ==
        sum);
  CHECK(mote_archive_checksum(NULL, 0, 0, 1) == 0);
  free(values);
}

static void archives_follow_one_another(void) {
  mote_store a = kit_store(NULL, 30, 1), b = kit_store(NULL, 60, 2), c = mote_store_make(&thing_table, NULL);
  kit_bytes bytes = kit_save(&a), second = kit_save(&b);
  CHECK(kit_write(&bytes, second.data, second.size));
  mote_arena scratch = mote_arena_make(NULL);
  mote_source source = kit_source(&bytes);
  CHECK(mote_archive_read(&source, &c, &scratch, NULL) == MOTE_OK && same(&a, &c));
  CHECK(source.left == second.size && source.offset == bytes.size - second.size);
  CHECK(mote_archive_read(&source, &c, &scratch, NULL) == MOTE_OK && same(&b, &c));
  CHECK(source.left == 0);
  CHECK(mote_archive_read(&source, &c, &scratch, NULL) == MOTE_ERROR_FORMAT && same(&b, &c));
  mote_arena_destroy(&scratch);
  mote_store_destroy(&a);
  mote_store_destroy(&b);
  mote_store_destroy(&c);
  free(bytes.data);
  free(second.data);
}

// Without knowing the table: the archive's own.
static void any_table_can_be_read(void) {
  mote_store a = kit_store(NULL, 100, 1);
  kit_bytes bytes = kit_save(&a);
  mote_arena arena = mote_arena_make(NULL);
  mote_source source = kit_source(&bytes);
  const mote_archive_head *head;
  CHECK(mote_archive_read_head(&source, &arena, &head, NULL) == MOTE_OK);
  CHECK(head->table.fields == 8 && head->blocks == 3 && head->rows[0] == a.count[0]);
  mote_store b = mote_store_make(&head->table, NULL);
  CHECK(mote_archive_read_body(&source, head, &b, NULL) == MOTE_OK && same(&a, &b));
  CHECK(b.next_id == a.next_id);
  mote_store_destroy(&a);
  mote_store_destroy(&b);
  mote_arena_destroy(&arena);
  free(bytes.data);
}

// --- Tables that have changed since -----------------------------------------------------------------

typedef struct heard {
  int notes;
  char last[512];
} heard;

static void hear(void *user, mote_log_level level, const char *text) {
  heard *h = user;
  if (level == MOTE_LOG_DEBUG) return;
  ++h->notes;
  snprintf(h->last, sizeof h->last, "%s", text);
}

// Loads an archive of `thing_table` into a store of that table with one field changed (or left out when
// its name is null); the last note or error goes to `text`.
static mote_result load_changed(int field, mote_field changed, int *notes, char text[512], mote_store *out) {
  mote_store a = kit_store(NULL, 5000, 3);
  kit_bytes bytes = kit_save(&a);
  static mote_field fields[THING_FIELD_COUNT];
  static mote_table table;
  table = thing_table;
  table.field = fields;
  memcpy(fields, thing_field, sizeof fields);
  fields[field] = changed;
  if (changed.name == NULL) {
    memmove(&fields[field], &thing_field[field + 1], (size_t)(table.fields - field - 1) * sizeof *fields);
    --table.fields;
    table.id -= field < table.id;
  }
  heard h = {0};
  mote_env env = mote_env_default();
  env.log = hear;
  env.log_user = &h;
  *out = mote_store_make(&table, &env);
  mote_error error = {0};
  mote_result result = kit_load(&bytes, out, &error);
  snprintf(text, 512, "%s", result == MOTE_OK ? h.last : error.text);
  *notes = h.notes;
  mote_store_destroy(&a);
  free(bytes.data);
  return result;
}

static mote_field renamed(int field, const char *name) {
  mote_field f = thing_field[field];
  f.name = name;
  return f;
}

static void fields_may_come_and_go(void) {
  mote_store b;
  char text[512];
  int notes;
  CHECK(load_changed(THING_HEAT, (mote_field){0}, &notes, text, &b) == MOTE_OK && notes == 1);
  CHECK(strstr(text, "\"heat\" (f32 x 1 in K)") != NULL);
  mote_store_destroy(&b);
  CHECK(load_changed(THING_HEAT, renamed(THING_HEAT, "temperature"), &notes, text, &b) == MOTE_OK);
  CHECK(notes == 2 && b.count[MOTE_GROUP_WARM] > 0);
  CHECK(mote_store_f32(&b, THING_HEAT)[0] == 293.15f);
  CHECK(mote_store_u32(&b, THING_COLOUR)[0] == kit_value(3, THING_COLOUR, 0, 0));
  mote_store_destroy(&b);
  mote_field derived = thing_field[THING_HEAT];
  derived.kept = MOTE_KEPT_DERIVED;
  CHECK(load_changed(THING_HEAT, derived, &notes, text, &b) == MOTE_OK && notes == 1);
  mote_store_destroy(&b);
  CHECK(load_changed(THING_HEAT, thing_field[THING_HEAT], &notes, text, &b) == MOTE_OK && notes == 0);
  mote_store_destroy(&b);
}

static bool refuses(int field, mote_field changed, const char *reason) {
  mote_store b;
  char text[512];
  int notes;
  mote_result result = load_changed(field, changed, &notes, text, &b);
  bool empty = b.count[0] == 0 && b.blocks == 0;
  mote_store_destroy(&b);
  return result == MOTE_ERROR_FORMAT && empty && strstr(text, reason) != NULL;
}

static void fields_must_fit(void) {
  mote_field f;
  CHECK(refuses(THING_STRAIN, renamed(THING_STRAIN, "tension"), "no field \"tension\""));
  f = thing_field[THING_STRAIN], f.type = MOTE_TYPE_F32;
  CHECK(refuses(THING_STRAIN, f, "field \"strain\" of the archive is f64 x 9 in 1; f32 x 9 in 1"));
  f = thing_field[THING_STRAIN], f.components = 6;
  CHECK(refuses(THING_STRAIN, f, "f64 x 6"));
  f = thing_field[THING_SPEED], f.unit = "km/h";
  CHECK(refuses(THING_SPEED, f, "in m/s; f32 x 3 in km/h"));
  f = thing_field[THING_HEAT], f.group = MOTE_GROUP_SOFT;
  CHECK(refuses(THING_HEAT, f, "group \"warm\"; \"soft\" was expected"));
}

static void tables_must_fit(void) {
  mote_store a = kit_store(NULL, 10, 1), b = mote_store_make(&mote_particle_table, NULL);
  kit_bytes bytes = kit_save(&a);
  mote_error error;
  CHECK(kit_load(&bytes, &b, &error) == MOTE_ERROR_FORMAT);
  CHECK_TEXT(error.text, "the archive holds things; particles were expected");
  // A group we do not know: its fields are left out, and nobody misses it.
  mote_table fewer = thing_table;
  fewer.groups = MOTE_GROUP_SOFT, fewer.fields = THING_STRAIN;
  mote_store c = mote_store_make(&fewer, NULL);
  CHECK(kit_load(&bytes, &c, &error) == MOTE_OK && c.block[1].groups == 1 && c.block[2].groups == 3);
  // The other way round: no block uses the group, so its required field is not missing.
  kit_bytes back = kit_save(&c);
  CHECK(kit_load(&back, &a, &error) == MOTE_OK && a.count[0] == c.count[0] && a.count[MOTE_GROUP_SOFT] == 0);
  mote_store_destroy(&a);
  mote_store_destroy(&b);
  mote_store_destroy(&c);
  free(bytes.data);
  free(back.data);
}

// Group 0 is that of all rows whatever it is called, and a group of some rows never is.
static void groups_of_all_rows_match(void) {
  static const char *const others[] = {"everything", "warm", "soft"}, *const swapped[] = {"some", "all",
                                                                                          "soft"};
  mote_field field[3] = {thing_field[THING_PLACE], thing_field[THING_SPEED], thing_field[THING_ID]};
  mote_table table = {"things", field, 3, others, 3, 2, 1};
  mote_error error;
  for (int k = 0; k < 2; ++k) {
    field[1].group = k;
    table.group = k == 0 ? others : swapped;
    mote_store a = mote_store_make(&table, NULL), b = mote_store_make(&thing_table, NULL);
    size_t block;
    CHECK(mote_store_add_block(&a, WARM, 3, &block, NULL) == MOTE_OK);
    CHECK(mote_store_add_block(&a, 0, 3, &block, NULL) == MOTE_OK);
    kit_bytes bytes = kit_save(&a);
    CHECK(kit_load(&bytes, &b, &error) == (k == 0 ? MOTE_OK : MOTE_ERROR_FORMAT));
    mote_store_destroy(&a);
    mote_store_destroy(&b);
    free(bytes.data);
  }
}

// --- Refusals -------------------------------------------------------------------------------------------

static void set_u64(kit_bytes *bytes, size_t offset, uint64_t value, size_t size) {
  memcpy(bytes->data + offset, &value, size);
}

// A head with right checksum and absurd claims must not make us allocate.
static void absurd_claims_take_no_memory(void) {
  const struct { size_t offset, size; } claim[] = {{12, 4}, {16, 4}, {20, 4}, {24, 8}, {32, 8}, {48, 8}};
  const uint64_t value[] = {0, 1000, UINT64_C(1) << 31, UINT64_C(1) << 60, UINT64_MAX};
  mote_store store = kit_store(NULL, 30, 1);
  kit_bytes good = kit_save(&store);
  size_t head = 88 + 3 * 32 + 8 * 80 + 3 * 16;
  for (size_t c = 0; c < 6; ++c) {
    for (size_t v = 0; v < 5; ++v) {
      kit_memory memory;
      mote_env env = kit_env(&memory);
      mote_store b = mote_store_make(&thing_table, &env);
      kit_bytes bytes = {0};
      CHECK(kit_write(&bytes, good.data, good.size));
      set_u64(&bytes, claim[c].offset, value[v], claim[c].size);
      set_u64(&bytes, head, mote_hash_bytes(0, bytes.data, head), 8);
      mote_error error;
      bool is_id = claim[c].offset == 20 && (uint32_t)value[v] == 0;  // rows without names: allowed in itself
      CHECK(kit_load(&bytes, &b, &error) == (is_id ? MOTE_OK : MOTE_ERROR_FORMAT));
      CHECK(memory.largest < (1 << 20));
      mote_store_destroy(&b);
      CHECK(memory.live == 0);
      free(bytes.data);
    }
  }
  mote_store_destroy(&store);
  free(good.data);
}

// Consistent claims of 2^60 rows, in head, block and all fields.
static void billions_of_rows_take_no_memory(void) {
  mote_store store = mote_store_make(&mote_particle_table, NULL);
  size_t block;
  mote_store_add_block(&store, 0, 1, &block, NULL);
  kit_bytes bytes = kit_save(&store);
  uint64_t rows = UINT64_C(1) << 55;
  set_u64(&bytes, 32, rows, 8);
  set_u64(&bytes, 48, rows * 36, 8);
  const size_t common[] = {MOTE_PARTICLE_ID, MOTE_PARTICLE_POSITION, MOTE_PARTICLE_BODY};
  for (size_t k = 0; k < 3; ++k) set_u64(&bytes, 88 + GROUPS * 32 + common[k] * 80 + 64, rows, 8);
  size_t blocks = 88 + GROUPS * 32 + saved_fields() * 80;
  set_u64(&bytes, blocks, rows, 8);
  set_u64(&bytes, blocks + 16, mote_hash_bytes(0, bytes.data, blocks + 16), 8);
  kit_memory memory;
  mote_env env = kit_env(&memory);
  mote_store b = mote_store_make(&mote_particle_table, &env);
  mote_error error;
  CHECK(kit_load(&bytes, &b, &error) == MOTE_ERROR_FORMAT);
  char expected[160];
  snprintf(
      expected, sizeof expected,
      "archive cut short: \"id\" begins at byte %zu and has 288230376151711744 bytes, but only 36 are left",
      blocks + 24);
  CHECK_TEXT(error.text, expected);
  CHECK(memory.largest < (1 << 20));
  mote_store_destroy(&b);
  mote_store_destroy(&store);
  free(bytes.data);
}

static void says_what_is_wrong(void) {
  mote_store store = kit_store(NULL, 30, 1);
  uint64_t hash = kit_hash(&store);
  kit_bytes bytes = kit_save(&store);
  mote_error error;
  bytes.data[1] = 'm';
  CHECK(kit_load(&bytes, &store, &error) == MOTE_ERROR_FORMAT);
  CHECK_TEXT(error.text, "not a Mote archive (at byte 0)");
  bytes.data[1] = 'M';
  bytes.data[8] = 2;
  CHECK(kit_load(&bytes, &store, &error) == MOTE_ERROR_FORMAT);
  CHECK_TEXT(error.text, "archive at byte 0 is of version 2; this program reads version 1");
  bytes.data[8] = 1;
  bytes.data[100] ^= 1;
  CHECK(kit_load(&bytes, &store, &error) == MOTE_ERROR_FORMAT);
  CHECK_TEXT(error.text, "damaged archive: head at byte 0: wrong checksum");
  bytes.data[100] ^= 1;
  size_t values = 88 + 3 * 32 + 8 * 80 + 3 * 16 + 8;
  bytes.data[values + 33 * 24] ^= 1;
  CHECK(kit_load(&bytes, &store, &error) == MOTE_ERROR_FORMAT);
  CHECK_TEXT(error.text, "damaged archive: field \"speed\" (396 bytes from byte 1672) has a wrong checksum");
  bytes.data[values + 33 * 24] ^= 1;
  size_t size = bytes.size;
  bytes.size = values + 33 * 24 + 100;
  CHECK(kit_load(&bytes, &store, &error) == MOTE_ERROR_FORMAT);
  CHECK_TEXT(error.text,
             "archive cut short: \"speed\" begins at byte 1672 and has 396 bytes, but only 100 are left");
  bytes.size = 0;
  CHECK(kit_load(&bytes, &store, &error) == MOTE_ERROR_FORMAT);
  bytes.size = size;
  CHECK(kit_hash(&store) == hash);
  mote_store_destroy(&store);
  free(bytes.data);
}

typedef struct limited {
  size_t calls, allowed;
  kit_bytes *bytes;
} limited;

static bool limited_write(void *user, const void *bytes, size_t size) {
  limited *l = user;
  return l->calls++ < l->allowed && kit_write(l->bytes, bytes, size);
}

static bool limited_read(void *user, void *bytes, size_t size) {
  limited *l = user;
  return l->calls++ < l->allowed && kit_read(l->bytes, bytes, size);
}

static void the_outside_may_refuse(void) {
  mote_store store = kit_store(NULL, 30, 1), b = kit_store(NULL, 3, 2);
  uint64_t hash = kit_hash(&b);
  mote_arena scratch = mote_arena_make(NULL);
  mote_error error;
  for (size_t allowed = 0; allowed <= 9; ++allowed) {
    kit_bytes bytes = {0};
    limited l = {.allowed = allowed, .bytes = &bytes};
    mote_result written = mote_archive_write(&store, &scratch, &(mote_sink){limited_write, &l}, &error);
    CHECK(written == (allowed < 9 ? MOTE_ERROR_FILE : MOTE_OK));
    free(bytes.data);
  }
  CHECK(strstr(error.text, "crack") != NULL);
  kit_bytes bytes = kit_save(&store);
  for (size_t allowed = 0; allowed < 10; ++allowed) {
    limited l = {.allowed = allowed, .bytes = &bytes};
    bytes.at = 0;
    mote_source source = {.read = limited_read, .user = &l, .left = bytes.size};
    CHECK(mote_archive_read(&source, &b, &scratch, &error) == MOTE_ERROR_FILE && kit_hash(&b) == hash);
  }
  free(bytes.data);
  mote_store_destroy(&store);
  mote_store_destroy(&b);
  mote_arena_destroy(&scratch);
}

static void memory_may_be_refused(void) {
  mote_store store = kit_store(NULL, 30, 1);
  kit_bytes bytes = kit_save(&store);
  kit_memory memory;
  mote_env env = kit_env(&memory);
  mote_result result = MOTE_ERROR_MEMORY;
  size_t tries = 0;
  for (; result != MOTE_OK && tries < 100; ++tries) {
    memory.refuse = SIZE_MAX;
    mote_store b = kit_store(&env, 3, 2);
    uint64_t hash = kit_hash(&b);
    memory.refuse = memory.calls + tries;
    mote_error error = {0};
    result = kit_load(&bytes, &b, &error);
    CHECK(result == error.code);
    if (result != MOTE_OK) CHECK(result == MOTE_ERROR_MEMORY && kit_hash(&b) == hash);
    mote_store_destroy(&b);
    CHECK(memory.live == 0);
  }
  CHECK(tries > 10 && tries < 100);
  mote_arena none = mote_arena_make(&env);
  memory.refuse = 0;
  CHECK(mote_archive_write(&store, &none, &(mote_sink){kit_write, &bytes}, NULL) == MOTE_ERROR_MEMORY);
  mote_store_destroy(&store);
  free(bytes.data);
}

int main(void) {
  comes_back_with_the_same_bits();
  is_laid_out_as_documented();
  checksums_sum_over_pieces();
  archives_follow_one_another();
  any_table_can_be_read();
  fields_may_come_and_go();
  fields_must_fit();
  tables_must_fit();
  groups_of_all_rows_match();
  absurd_claims_take_no_memory();
  billions_of_rows_take_no_memory();
  says_what_is_wrong();
  the_outside_may_refuse();
  memory_may_be_refused();
  return test_end();
}
