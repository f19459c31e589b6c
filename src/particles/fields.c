// Tables of the state: see fields.h.
#include "particles/fields.h"

#include <string.h>

static const mote_field particle_field[] = {MOTE_PARTICLE_FIELDS(MOTE_FIELD_ENTRY)};

#define GROUP_NAME(symbol, name) name,
static const char *const particle_group[MOTE_PARTICLE_GROUPS] = {"all", MOTE_PARTICLE_GROUPS_OF(GROUP_NAME)};

const mote_table mote_particle_table = {
    .name = "particles",
    .field = particle_field,
    .fields = MOTE_PARTICLE_FIELD_COUNT,
    .group = particle_group,
    .groups = MOTE_PARTICLE_GROUPS,
    .id = MOTE_PARTICLE_ID,
    .version = 1,
};

size_t mote_type_size(mote_type type) {
  static const unsigned char size[MOTE_TYPE_COUNT] = {4, 8, 1, 4, 8, 4};
  MOTE_ASSERT(type < MOTE_TYPE_COUNT);
  return size[type];
}

const char *mote_type_name(mote_type type) {
  static const char *const name[MOTE_TYPE_COUNT] = {"f32", "f64", "u8", "u32", "u64", "i32"};
  MOTE_ASSERT(type < MOTE_TYPE_COUNT);
  return name[type];
}

bool mote_type_is_float(mote_type type) {
  return type == MOTE_TYPE_F32 || type == MOTE_TYPE_F64;
}

size_t mote_field_size(const mote_field *field) {
  MOTE_ASSERT(field->components > 0);
  return (size_t)field->components * mote_type_size(field->type);
}

int mote_table_find(const mote_table *table, const char *name) {
  MOTE_ASSERT(table != NULL && name != NULL);
  for (int f = 0; f < table->fields; ++f) {
    if (strcmp(table->field[f].name, name) == 0) return f;
  }
  return -1;
}

int mote_table_find_in(const mote_table *table, const char *name, uint32_t groups) {
  MOTE_ASSERT(table != NULL && name != NULL);
  for (int f = 0; f < table->fields; ++f) {
    int group = table->field[f].group;  // unchecked
    if (group >= 0 && group < MOTE_GROUP_MAX && groups >> group & 1 &&
        strcmp(table->field[f].name, name) == 0)
      return f;
  }
  return -1;
}

int mote_table_find_group(const mote_table *table, const char *name) {
  MOTE_ASSERT(table->groups <= MOTE_GROUP_MAX && name != NULL);
  for (int g = 0; g < table->groups; ++g) {
    if (strcmp(table->group[g], name) == 0) return g;
  }
  return -1;
}

static bool is_name(const char *text) {
  size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_");
  return length > 0 && length < MOTE_NAME_SIZE && text[length] == 0;
}

static bool is_unit(const char *text) {
  size_t length = 0;
  while (text[length] > 32 && text[length] < 127) ++length;
  return length > 0 && length < MOTE_UNIT_SIZE && text[length] == 0;
}

static mote_result check_field(const mote_table *table, int f, mote_error *error) {
  const mote_field *field = &table->field[f];
  const char *wrong = NULL;
  if (!is_name(field->name)) return mote_fail(error, MOTE_ERROR_ARGUMENT, "field %d has a bad name", f);
  if (field->group < 0 || field->group >= table->groups) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "field \"%s\" belongs to a group that is not there",
                     field->name);
  }
  bool common =
      mote_table_find_in(table, field->name, 1) >= 0;  // all rows have it: no group may have another
  if (mote_table_find_in(table, field->name, 1u << field->group) != f || (common && field->group != 0)) {
    wrong = "is there twice";
  }
  if (!is_unit(field->unit)) wrong = "has a bad unit";
  if (field->type >= MOTE_TYPE_COUNT) wrong = "has an unknown type";
  if (field->components < 1 || field->components > MOTE_COMPONENT_MAX)
    wrong = "has a bad number of components";
  if (wrong == NULL) return MOTE_OK;
  return mote_fail(error, MOTE_ERROR_ARGUMENT, "field \"%s\" %s", field->name, wrong);
}

mote_result mote_table_check(const mote_table *table, mote_error *error) {
  MOTE_ASSERT(table != NULL);
  if (!is_name(table->name)) return mote_fail(error, MOTE_ERROR_ARGUMENT, "the table has a bad name");
  if (table->fields < 1 || table->fields > MOTE_FIELD_MAX) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "%d fields: 1 to %d are possible", table->fields,
                     MOTE_FIELD_MAX);
  }
  if (table->groups < 1 || table->groups > MOTE_GROUP_MAX) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "%d groups: 1 to %d are possible", table->groups,
                     MOTE_GROUP_MAX);
  }
  for (int g = 0; g < table->groups; ++g) {
    if (!is_name(table->group[g]) || mote_table_find_group(table, table->group[g]) != g) {
      return mote_fail(error, MOTE_ERROR_ARGUMENT, "group %d has a bad name or one that is there twice", g);
    }
  }
  bool saved = false;
  for (int f = 0; f < table->fields; ++f) {
    MOTE_TRY(check_field(table, f, error));
    saved = saved || mote_field_saved(&table->field[f]);
  }
  if (!saved) return mote_fail(error, MOTE_ERROR_ARGUMENT, "no field of table \"%s\" is saved", table->name);
  if (table->id == -1) return MOTE_OK;
  const mote_field *id = table->id >= 0 && table->id < table->fields ? &table->field[table->id] : NULL;
  if (id == NULL || id->type != MOTE_TYPE_U64 || id->components != 1 || id->group != 0 ||
      !mote_field_saved(id)) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "rows are named by a saved field of one u64 in group 0");
  }
  return MOTE_OK;
}
