// Numbers, formulas and choices of scenes: what they must be, and what is said when they are not.
#include <math.h>
#include <mote/formula.h>
#include <mote/text.h>
#include <stdio.h>
#include <string.h>

#include "language/scene_bind.h"

enum { EXPECTED = 160, NUMBERS = 64, NAMES = 16 };

mote_result mote_bind_text(mote_binder *binder, mote_node *node, const char *text) {
  node->text = mote_pool_copy(binder->pool, text, strlen(text));
  node->plain = true;
  return node->text == NULL ? mote_io_fail_memory(binder->error) : MOTE_OK;
}

// --- Wrong types ------------------------------------------------------------------------------------------

// "3 lengths in m"
static void describe_numbers(const mote_scene_key *key, const char *count, char out[NUMBERS]) {
  const char *unit = key->unit, *name = mote_dimension_name(key->dimension);
  if (strchr("aeiou", name[0]) != NULL && strcmp(count, "a ") == 0) count = "an ";
  if (name[strlen(name) - 1] == 'y' && count[0] != 'a') name = "number";  // its plural would not do
  snprintf(out, NUMBERS, "%.16s%.16s%s%s%.16s", count, name, count[0] == 'a' ? "" : "s",
           unit[0] == 0 ? "" : " in ", unit);
}

// What needs no more than a phrase.
static const char *phrase(const mote_scene_key *key) {
  switch ((int)key->kind) {
    case MOTE_KEY_PIXELS: return "a list of 2 whole numbers";
    case MOTE_KEY_INTEGER:
    case MOTE_KEY_COUNT:
    case MOTE_KEY_SEED:
    case MOTE_KEY_VERSION: return "a whole number";
    case MOTE_KEY_COLOUR: return "a colour (a name, \"#rrggbb\" or a list of 3 numbers)";
    case MOTE_KEY_TEXTS: return "a list of texts";
    case MOTE_KEY_LIST: return "a list of mappings";
    case MOTE_KEY_PARTS: return "a list of shapes";
    case MOTE_KEY_MAP:
    case MOTE_KEY_SHAPE:
    case MOTE_KEY_NAMED: return "a mapping";
    case MOTE_KEY_TEXT: return "a text";
    default: return key->type;
  }
}

static void describe(const mote_binder *b, const mote_scene_key *key, char out[EXPECTED]) {
  char numbers[NUMBERS];
  bool plane = b->scene->world.dimensions == 2;
  switch ((int)key->kind) {
    case MOTE_KEY_NUMBER:
    case MOTE_KEY_VALUE:
      describe_numbers(key, "a ", numbers);
      snprintf(out, EXPECTED, "%s%s%.40s", numbers, key->detail[0] == 0 ? "" : ", or a formula in ",
               key->detail);
      return;
    case MOTE_KEY_VECTOR:
    case MOTE_KEY_GRAVITY:
    case MOTE_KEY_VALUE3:
      describe_numbers(key, plane ? "2 or 3 " : "3 ", numbers);
      snprintf(out, EXPECTED, "a list of %s%s", numbers, key->detail[0] == 0 ? "" : ", or formulas");
      return;
    case MOTE_KEY_PAIR:
      describe_numbers(key, "2 ", numbers);
      snprintf(out, EXPECTED, "a list of %s", numbers);
      return;
    default: snprintf(out, EXPECTED, "%s", phrase(key)); return;
  }
}

mote_result mote_bind_fail_type(mote_binder *b, const mote_scene_key *key, const mote_node *node) {
  char expected[EXPECTED], what[MOTE_NODE_WHAT];
  describe(b, key, expected);
  return mote_place_fail(b->error, node->place, "\"%s\" must be %s, but is %s%s", key->name, expected,
                         mote_node_what(node, what), mote_node_advice(node));
}

// Of a list it is an element that is wrong.
static mote_result fail_number(mote_binder *b, const mote_scene_key *key, const mote_node *node) {
  if (node->key != NULL) return mote_bind_fail_type(b, key, node);
  char expected[NUMBERS], what[MOTE_NODE_WHAT];
  describe_numbers(key, "a ", expected);
  return mote_place_fail(b->error, node->place, "an element of \"%s\" must be %s, but is %s", key->name,
                         expected, mote_node_what(node, what));
}

// --- Numbers ----------------------------------------------------------------------------------------------

static mote_result fail_unit(mote_binder *b, const mote_scene_key *key, const mote_node *node,
                             const char *unit) {
  char list[256];
  mote_unit_list(key->dimension, list, sizeof list);
  if (list[0] == 0)
    return mote_place_fail(b->error, node->place, "\"%s\" is a number without unit, but has \"%.40s\"",
                           key->name, unit);
  const char *name = mote_dimension_name(key->dimension), *other = mote_unit_dimension(unit);
  return mote_place_fail(b->error, node->place, "\"%s\" must have a unit of %s (%s), but \"%.40s\" is %s%s",
                         key->name, name, list, unit, other == NULL ? "not known" : "one of ",
                         other == NULL ? "" : other);
}

static mote_result fail_range(mote_binder *b, const mote_scene_key *key, const mote_node *node,
                              double value) {
  const char *unit = key->unit, *gap = unit[0] == 0 ? "" : " ";
  if (!isfinite(value))
    return mote_place_fail(b->error, node->place, "\"%s\" must be finite, but is %.40s", key->name,
                           node->text);
  if (fabs(value) > MOTE_KEY_HUGE && key->high <= MOTE_KEY_HUGE)
    return mote_place_fail(b->error, node->place, "\"%s\" must not exceed 1e12%s%s in size, but is %.40s",
                           key->name, gap, unit, node->text);
  if (key->low == key->high)
    return mote_place_fail(b->error, node->place, "\"%s\" must be %g, but is %.40s", key->name, key->low,
                           node->text);
  return mote_place_fail(b->error, node->place, "\"%s\" must be %s%s%s, but is %.40s", key->name, key->range,
                         gap, unit, node->text);
}

// YAML writes .inf and .nan.
static const char *without_dot(const char *text, char out[8]) {
  size_t sign = text[0] == '+' || text[0] == '-', length = strlen(text);
  if (text[sign] != '.' || length != sign + 4 || strchr("iInN", text[sign + 1]) == NULL) return text;
  snprintf(out, 8, "%.*s%s", (int)sign, text, text + sign + 1);
  return out;
}

static mote_result keep_number(mote_binder *b, const mote_scene_key *key, mote_node *node, double value,
                               double *out) {
  if (!mote_scene_key_allows(key, value)) return fail_range(b, key, node, value);
  char number[MOTE_TEXT_NUMBER];
  mote_text_print_double(number, value);
  *out = value;
  return mote_bind_text(b, node, number);
}

mote_result mote_bind_number(mote_binder *b, const mote_scene_key *key, mote_node *node, double *out) {
  if (node->kind != MOTE_NODE_TEXT) return fail_number(b, key, node);
  bool automatic = (key->flags & MOTE_KEY_AUTO) != 0 && key->kind != MOTE_KEY_VECTOR;
  if (automatic && strcmp(node->text, "auto") == 0) {
    *out = (double)NAN;
    return mote_bind_text(b, node, "auto");
  }
  double value = 0;
  const char *unit = "";
  char copy[8];
  switch ((int)mote_unit_read(without_dot(node->text, copy), key->dimension, &value, &unit)) {
    case MOTE_UNIT_FINE: return keep_number(b, key, node, value, out);
    case MOTE_UNIT_WRONG: return fail_unit(b, key, node, unit);
    case MOTE_UNIT_TOO_LARGE: return fail_range(b, key, node, value);
    default: return fail_number(b, key, node);
  }
}

// --- Formulas ---------------------------------------------------------------------------------------------

static mote_result check_formula(mote_binder *b, const mote_scene_key *key, const mote_node *node) {
  mote_formula *formula = NULL;
  mote_error why = {0};
  mote_result result = mote_formula_create(node->text, key->detail, &b->pool->env, &formula, &why);
  mote_formula_destroy(formula);
  if (result == MOTE_ERROR_MEMORY) return mote_io_fail_memory(b->error);
  if (result == MOTE_OK) return MOTE_OK;
  mote_text_position place = node->place;
  if (node->exact && why.column > 0) place.column += why.column - 1 + !node->plain;
  return mote_place_fail(b->error, place, "formula of \"%s\": %s", key->name, why.text);
}

mote_result mote_bind_formula(mote_binder *b, const mote_scene_key *key, mote_node *node, mote_value *out) {
  if (node->kind != MOTE_NODE_TEXT || mote_node_is_null(node)) return fail_number(b, key, node);
  double value = 0;
  const char *unit = "";
  char copy[8];
  mote_unit_answer answer = mote_unit_read(without_dot(node->text, copy), key->dimension, &value, &unit);
  if (answer == MOTE_UNIT_WRONG && mote_unit_dimension(unit) != NULL) return fail_unit(b, key, node, unit);
  out->formula = NULL;
  if (answer == MOTE_UNIT_FINE) return keep_number(b, key, node, value, &out->constant);
  MOTE_IO_TRY(check_formula(b, key, node));
  node->plain = false;
  out->formula = node->text;
  out->constant = 0;
  return MOTE_OK;
}

// --- Choices ----------------------------------------------------------------------------------------------

static size_t split_names(const char *list, char copy[256], const char *names[NAMES]) {
  size_t count = 0;
  snprintf(copy, 256, "%s", list);
  for (char *name = copy; name != NULL && count < NAMES;) {
    names[count++] = name;
    name = strstr(name, ", ");
    if (name == NULL) break;
    *name = 0;
    name += 2;
  }
  return count;
}

mote_result mote_bind_choice(mote_binder *b, const mote_scene_key *key, mote_node *node, int *out) {
  if (node->kind != MOTE_NODE_TEXT) return mote_bind_fail_type(b, key, node);
  *out = mote_scene_key_choice(key, node->text);
  if (*out >= 0) return MOTE_OK;
  char copy[256];
  const char *names[NAMES];
  size_t count = split_names(key->detail, copy, names);
  const char *near = mote_text_closest(node->text, names, count);
  return mote_place_fail(b->error, node->place, "\"%s\" must be one of %s, but is \"%.40s\"%s%s%s", key->name,
                         key->detail, node->text, near == NULL ? "" : "; did you mean \"",
                         near == NULL ? "" : near, near == NULL ? "" : "\"?");
}
