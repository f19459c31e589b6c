// Defaults of definitions, read from the table of keys: see mote/keys.h.
#include <math.h>
#include <mote/text.h>
#include <string.h>

#include "base/check.h"
#include "base/pi.h"
#include "scene/def_table.h"

// One number at *text, which is moved behind it: in SI or in degrees; "auto" and "none" are NaN.
static double read_number(const char **text) {
  double value = (double)NAN;
  if (strcmp(*text, "auto") == 0 || strcmp(*text, "none") == 0) return value;
  mote_text_scan scan = mote_text_read_double(*text, strlen(*text), MOTE_TEXT_ANY, &value);
  MOTE_ASSERT(scan.length > 0);
  *text += scan.length;
  return strncmp(*text, " deg", 4) == 0 ? value * MOTE_PI / 180.0 : value;
}

// "[1, 2, 3]", or one number for all.
static void read_numbers(const char *text, double *out, int count) {
  bool list = text[0] == '[';
  text += list;
  for (int k = 0; k < count; ++k) {
    const char *at = text;
    out[k] = read_number(&at);
    if (list) text = at + strspn(at, ", ");
  }
}

static void read_integers(const char *text, int *out, int count) {
  double number[2];
  read_numbers(text, number, count);
  for (int k = 0; k < count; ++k) out[k] = (int)number[k];
}

// One name for both sides.
static void read_choices(const mote_scene_key *key, int *out, int count) {
  int choice = mote_scene_key_choice(key, key->value);
  MOTE_ASSERT(choice >= 0);
  for (int k = 0; k < count; ++k) out[k] = choice;
}

static void read_text(const mote_scene_key *key, const char **out) {
  *out = strcmp(key->value, "none") == 0 ? NULL : key->value;
}

static void read_texts(const mote_scene_key *key, char *def) {
  static const char *const vtp[] = {"vtp"};
  bool none = strcmp(key->value, "[]") == 0;
  MOTE_ASSERT(none || strcmp(key->value, "[vtp]") == 0);
  *(const char *const **)(void *)(def + key->offset) = none ? NULL : vtp;
  *(size_t *)(void *)(def + key->count) = none ? 0 : 1;
}

static void read_values(const mote_scene_key *key, mote_value *out, int count) {
  double number[3];
  read_numbers(key->value, number, count);
  for (int k = 0; k < count; ++k) out[k] = (mote_value){number[k], NULL};
}

_Static_assert(sizeof(mote_value3) == 3 * sizeof(mote_value), "a mote_value3 is three values");
_Static_assert(sizeof(mote_fill_kind) == sizeof(int) && sizeof(mote_side) == sizeof(int), "enums are ints");
_Static_assert(offsetof(mote_outputs_def, height) == offsetof(mote_outputs_def, width) + sizeof(int) &&
                   offsetof(mote_outputs_def, colour_high) ==
                       offsetof(mote_outputs_def, colour_low) + sizeof(double),
               "pairs of numbers lie side by side");

static double read_one(const mote_scene_key *key) {
  double number;
  read_numbers(key->value, &number, 1);
  return number;
}

static void fill(const char *section, void *out);

static void fill_key(const mote_scene_key *key, char *def) {
  void *at = def + key->offset;
  switch (key->kind) {
    case MOTE_KEY_TEXT:
    case MOTE_KEY_MATERIAL: read_text(key, at); return;
    case MOTE_KEY_NUMBER: read_numbers(key->value, at, 1); return;
    case MOTE_KEY_INTEGER: read_integers(key->value, at, 1); return;
    case MOTE_KEY_COUNT: *(size_t *)at = isinf(read_one(key)) ? SIZE_MAX : (size_t)read_one(key); return;
    case MOTE_KEY_SEED: *(uint64_t *)at = (uint64_t)read_one(key); return;
    case MOTE_KEY_SWITCH: *(bool *)at = strcmp(key->value, "true") == 0; return;
    case MOTE_KEY_VECTOR:
    case MOTE_KEY_GRAVITY:
    case MOTE_KEY_COLOUR: read_numbers(key->value, at, 3); return;
    case MOTE_KEY_PAIR: read_numbers(key->value, at, 2); return;
    case MOTE_KEY_PIXELS: read_integers(key->value, at, 2); return;
    case MOTE_KEY_VALUE: read_values(key, at, 1); return;
    case MOTE_KEY_VALUE3: read_values(key, at, 3); return;
    case MOTE_KEY_CHOICE:
    case MOTE_KEY_QUALITY:
    case MOTE_KEY_KERNEL: read_choices(key, at, 1); return;
    case MOTE_KEY_SIDES: read_choices(key, at, 2); return;
    case MOTE_KEY_TEXTS: read_texts(key, def); return;
    case MOTE_KEY_MAP:
    case MOTE_KEY_OPTION: fill(key->detail, at); return;
    case MOTE_KEY_SHAPE: *(mote_shape_def *)at = mote_shape_def_default(); return;
    case MOTE_KEY_NAMED:
    case MOTE_KEY_LIST:
    case MOTE_KEY_VERSION:
    case MOTE_KEY_PRESET:
    case MOTE_KEY_PARTS: return;  // empty, or not in the definition
  }
}

static void fill(const char *section, void *out) {
  size_t count;
  const mote_scene_key *key = mote_scene_section(section, &count);
  for (size_t k = 0; k < count; ++k) fill_key(&key[k], out);
}

void mote_scene_section_default(const char *section, void *out) {
  MOTE_ASSERT(section != NULL && out != NULL);
  memset(out, 0, mote_scene_section_size(section));
  fill(section, out);
}
