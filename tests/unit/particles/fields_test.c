// The tables: what is in them obeys the rules, and what breaks a rule is refused with its reason.
#include "particles/fields.h"

#include "store_kit.h"
#include "test.h"

static void our_tables_are_good(void) {
  mote_error error;
  CHECK(mote_table_check(&mote_particle_table, &error) == MOTE_OK);
  CHECK(mote_table_check(&thing_table, &error) == MOTE_OK);
  CHECK(mote_table_find(&mote_particle_table, "velocity") == MOTE_PARTICLE_VELOCITY);
  CHECK(mote_table_find(&mote_particle_table, "viscocity") == -1);
  CHECK(mote_table_find_group(&mote_particle_table, "fluid") == MOTE_GROUP_FLUID);
  CHECK(mote_table_find_group(&mote_particle_table, "") == -1);
}

static void types_have_sizes_and_names(void) {
  const size_t size[] = {sizeof(float),    sizeof(double),   sizeof(uint8_t),
                         sizeof(uint32_t), sizeof(uint64_t), sizeof(int32_t)};
  for (int t = 0; t < MOTE_TYPE_COUNT; ++t) {
    CHECK(mote_type_size((mote_type)t) == size[t]);
    CHECK(mote_type_name((mote_type)t)[0] == "ffuuui"[t]);
    CHECK(mote_type_is_float((mote_type)t) == (t < 2));
  }
  CHECK(mote_field_size(&mote_particle_table.field[MOTE_PARTICLE_POSITION]) == 24);
}

// A table of two fields, one of which breaks a rule.
static bool refused(mote_field field, const char *reason) {
  static const char *const group[] = {"all", "warm"};
  mote_field fields[2] = {{"id", MOTE_TYPE_U64, 1, 0, MOTE_KEPT_REQUIRED, 0, "1", "", ""}, field};
  mote_table table = {"table", fields, 2, group, 2, 0, 1};
  mote_error error = {0};
  return mote_table_check(&table, &error) == MOTE_ERROR_ARGUMENT && strstr(error.text, reason) != NULL;
}

static void broken_fields_are_refused(void) {
  const mote_field good = {"heat_2", MOTE_TYPE_F32, 3, 1, MOTE_KEPT_OPTIONAL, 0, "W/m^2", "", ""};
  mote_field bad;
  CHECK(!refused(good, ""));
  bad = good, bad.name = "", CHECK(refused(bad, "bad name"));
  bad = good, bad.name = "Heat", CHECK(refused(bad, "bad name"));
  bad = good, bad.name = "abcdefghijklmnopqrstuvwxyzabcdef", CHECK(refused(bad, "bad name"));
  bad = good, bad.name = "abcdefghijklmnopqrstuvwxyzabcde", CHECK(!refused(bad, ""));
  bad = good, bad.name = "id", CHECK(refused(bad, "\"id\" is there twice"));
  bad = good, bad.unit = "", CHECK(refused(bad, "unit"));
  bad = good, bad.unit = "m s", CHECK(refused(bad, "unit"));
  bad = good, bad.unit = "kilogram_per_sec", CHECK(refused(bad, "unit"));
  bad = good, bad.type = MOTE_TYPE_COUNT, CHECK(refused(bad, "\"heat_2\" has an unknown type"));
  bad = good, bad.components = 0, CHECK(refused(bad, "components"));
  bad = good, bad.components = 256, CHECK(refused(bad, "components"));
  bad = good, bad.group = 2, CHECK(refused(bad, "group"));
  bad = good, bad.group = -1, CHECK(refused(bad, "group"));
}

static void broken_tables_are_refused(void) {
  mote_table table = thing_table;
  table.name = "no spaces";
  CHECK(mote_table_check(&table, NULL) == MOTE_ERROR_ARGUMENT);
  for (int id = -2; id <= THING_FIELD_COUNT; ++id) {
    table = thing_table, table.id = id;
    CHECK((mote_table_check(&table, NULL) == MOTE_OK) == (id == -1 || id == THING_ID));
  }
  table = thing_table, table.fields = 0;
  CHECK(mote_table_check(&table, NULL) == MOTE_ERROR_ARGUMENT);
  table.fields = MOTE_FIELD_MAX + 1;
  CHECK(mote_table_check(&table, NULL) == MOTE_ERROR_ARGUMENT);
  table = thing_table, table.groups = MOTE_GROUP_MAX + 1;
  CHECK(mote_table_check(&table, NULL) == MOTE_ERROR_ARGUMENT);
  const char *const twice[] = {"all", "warm", "warm"};
  table = thing_table, table.group = twice;
  CHECK(mote_table_check(&table, NULL) == MOTE_ERROR_ARGUMENT);
  mote_field derived[] = {{"id", MOTE_TYPE_U64, 1, 0, MOTE_KEPT_DERIVED, 0, "1", "", ""}};
  table = (mote_table){"table", derived, 1, thing_group, 1, -1, 1};
  CHECK(mote_table_check(&table, NULL) == MOTE_ERROR_ARGUMENT);
}

int main(void) {
  our_tables_are_good();
  types_have_sizes_and_names();
  broken_fields_are_refused();
  broken_tables_are_refused();
  return test_end();
}
