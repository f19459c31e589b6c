// Columns of tables: see columns.h.
#include "io/columns.h"

#include <stdio.h>
#include <string.h>

static const char *const colours[] = {"red", "green", "blue", "alpha"};
static const char *const textures[] = {"s", "t"};  // as Blender reads them

void mote_column_name(const mote_field_view *field, int component, char out[MOTE_COLUMN_NAME]) {
  static const char *const axis[] = {"x", "y", "z"};
  if (strcmp(field->name, "position") == 0 && component < 3)
    snprintf(out, MOTE_COLUMN_NAME, "%s", axis[component]);
  else if (strcmp(field->name, "normal") == 0 && field->components == 3)
    snprintf(out, MOTE_COLUMN_NAME, "n%s", axis[component]);
  else if (strcmp(field->name, "colour") == 0 && (field->components == 3 || field->components == 4))
    snprintf(out, MOTE_COLUMN_NAME, "%s", colours[component]);
  else if (strcmp(field->name, "uv") == 0 && field->components == 2)
    snprintf(out, MOTE_COLUMN_NAME, "%s", textures[component]);
  else if (field->components == 1)
    snprintf(out, MOTE_COLUMN_NAME, "%.127s", field->name);
  else if (field->components <= 3)
    snprintf(out, MOTE_COLUMN_NAME, "%.127s_%s", field->name, axis[component]);
  else
    snprintf(out, MOTE_COLUMN_NAME, "%.127s_%d", field->name, component);
}

// Splits a column's name into the field's name and the number of the component; -1: a field of its own.
static int cut_name(mote_word name, mote_word *field) {
  char last = name.size > 0 ? name.text[name.size - 1] : 0;
  int axis = last >= 'x' && last <= 'z' ? last - 'x' : last >= 'X' && last <= 'Z' ? last - 'X' : -1;
  for (int k = 0; k < 4; ++k)
    if (mote_word_like(name, colours[k])) {
      *field = (mote_word){"colour", 6};
      return k;
    }
  for (int k = 0; k < 2; ++k)
    if (mote_word_is(name, textures[k])) {
      *field = (mote_word){"uv", 2};
      return k;
    }
  *field = name;
  if (axis >= 0 && (name.size == 1 || (name.size == 2 && strchr("pvn", name.text[0]) != NULL))) {
    --field->size;
    return axis;
  }
  size_t digits = 0;
  int number = 0;
  while (axis < 0 && digits < name.size && digits < 3 && name.text[name.size - 1 - digits] >= '0' &&
         name.text[name.size - 1 - digits] <= '9')
    ++digits;
  for (size_t k = name.size - digits; k < name.size; ++k) number = 10 * number + (name.text[k] - '0');
  size_t tail = axis >= 0 ? 2 : digits + 1;
  if (tail < 2 || name.size <= tail || strchr("_:.", name.text[name.size - tail]) == NULL) return -1;
  field->size -= tail;
  return axis >= 0 ? axis : number;
}

// Names of these fields in other programs.
static mote_word common_name(mote_word name) {
  static const struct {
    const char *other, *ours;
  } names[] = {{"", "position"},       {"p", "position"},        {"pos", "position"},
               {"points", "position"}, {"v", "velocity"},        {"vel", "velocity"},
               {"n", "normal"},        {"position", "position"}, {"velocity", "velocity"}};
  for (size_t k = 0; k < sizeof names / sizeof *names; ++k)
    if (mote_word_like(name, names[k].other)) return (mote_word){names[k].ours, strlen(names[k].ours)};
  return name;
}

static bool same(mote_word a, mote_word b) {
  return a.size == b.size && memcmp(a.text, b.text, a.size) == 0;
}

// The number of columns, from the first on, that form one field, and its name.
static int find_group(const mote_table_column *column, size_t columns, mote_word *name) {
  mote_word next;
  int count = 1;
  if (cut_name(column[0].name, name) != 0) {
    *name = column[0].name;
    return 1;
  }
  while ((size_t)count < columns && count < 255 && column[count].type == column[0].type &&
         cut_name(column[count].name, &next) == count && same(next, *name))
    ++count;
  *name = count > 1 ? common_name(*name) : column[0].name;
  return count;
}

mote_result mote_columns_make(mote_table_column *column, size_t columns, const mote_stamp_lines *lines,
                              const mote_file_content *source, mote_cloud *cloud, mote_error *error) {
  for (size_t first = 0; first < columns;) {
    mote_word name;
    char text[128];
    int count = find_group(column + first, columns - first, &name);
    mote_word_copy(name, text, sizeof text);
    const mote_stamp_field *known = mote_stamp_find(lines, text);
    mote_type type = known != NULL && known->components == count ? known->type : column[first].type;
    MOTE_IO_TRY(mote_cloud_add(cloud, source, name, type, count, error));
    const mote_field_view *field = &cloud->field[cloud->fields - 1];
    for (int c = 0; c < count; ++c) {
      mote_table_column *one = &column[first + (size_t)c];
      one->to = (uint8_t *)field->data + (size_t)c * mote_type_size(type);
      one->stride = (size_t)count * mote_type_size(type);
      one->type = type;
    }
    first += (size_t)count;
  }
  return MOTE_OK;
}
