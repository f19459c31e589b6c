// Checks of single values by the table of keys: see def_table.h. Checks of several keys are in def_check.c.
#include <math.h>
#include <mote/formula.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "scene/def_table.h"

typedef struct checker {
  const mote_env *env;
  mote_error *error;
} checker;

// --- Numbers ----------------------------------------------------------------------------------------------

static mote_result fail_number(const checker *c, const mote_scene_key *key, double x) {
  bool no_top = key->high == MOTE_KEY_HUGE, infinite = (key->flags & MOTE_KEY_INFINITE) != 0;
  mote_error *error = c->error;
  if (isnan(x) && key->required) return mote_fail_key(error, key->name, "it is missing");
  if (no_top && isfinite(x) && fabs(x) > MOTE_KEY_HUGE)
    return mote_fail_key(error, key->name, "%g exceeds %g in size", x, MOTE_KEY_HUGE);
  if (key->low == -MOTE_KEY_HUGE) return mote_fail_key(error, key->name, "%g is not finite", x);
  if (no_top && key->low == 0.0 && key->above)
    return mote_fail_key(error, key->name, "%g is not positive%s", x, infinite ? "" : " and finite");
  if (no_top && key->low == 0.0) return mote_fail_key(error, key->name, "%g is negative or not finite", x);
  if (no_top) return mote_fail_key(error, key->name, "%g is not at least %g", x, key->low);
  if (key->kind == MOTE_KEY_INTEGER && key->high == key->low + 1.0)
    return mote_fail_key(error, key->name, "%g is not %g or %g", x, key->low, key->high);
  return mote_fail_key(error, key->name, "%g is not between %g and %g%s", x, key->low, key->high,
                       key->below ? ", both excluded" : "");
}

static bool may_be_nan(const mote_scene_key *key) {
  return !key->required && (strcmp(key->value, "none") == 0 || (key->flags & MOTE_KEY_AUTO) != 0);
}

static mote_result check_numbers(const checker *c, const mote_scene_key *key, const double *x, int count) {
  for (int k = 0; k < count; ++k) {
    if (mote_scene_key_allows(key, x[k]) || (isnan(x[k]) && may_be_nan(key))) continue;
    if (count == 3 && !isfinite(x[k]))
      return mote_fail_key(c->error, key->name, "(%g, %g, %g) is not finite", x[0], x[1], x[2]);
    return fail_number(c, key, x[k]);
  }
  return MOTE_OK;
}

static mote_result check_integers(const checker *c, const mote_scene_key *key, const int *x, int count) {
  for (int k = 0; k < count; ++k)
    if (!mote_scene_key_allows(key, x[k])) return fail_number(c, key, x[k]);
  return MOTE_OK;
}

static mote_result check_count(const checker *c, const mote_scene_key *key, size_t x) {
  if (x == SIZE_MAX && (key->flags & MOTE_KEY_INFINITE) != 0) return MOTE_OK;
  return mote_scene_key_allows(key, (double)x) ? MOTE_OK : fail_number(c, key, (double)x);
}

static mote_result check_choices(const checker *c, const mote_scene_key *key, const int *x, int count) {
  for (int k = 0; k < count; ++k)
    if (!mote_scene_key_has_choice(key, x[k]))
      return mote_fail_key(c->error, key->name, "%d is none of %s", x[k], key->detail);
  return MOTE_OK;
}

// A formula of time alone must have a value at the beginning; a formula of places may have none where there
// is nothing.
static mote_result check_values(const checker *c, const mote_scene_key *key, const mote_value *value,
                                int count) {
  for (int k = 0; k < count; ++k, ++value) {
    if (value->formula == NULL) {
      MOTE_TRY(check_numbers(c, key, &value->constant, 1));
      continue;
    }
    mote_formula *formula;
    mote_result result = mote_formula_create(value->formula, key->detail, c->env, &formula, c->error);
    if (result != MOTE_OK) return mote_fail_within(c->error, result, key->name);
    double zero = 0.0, first = strcmp(key->detail, "t") == 0 ? mote_formula_value(formula, &zero) : 0.0;
    mote_formula_destroy(formula);
    if (!isfinite(first))
      return mote_fail_key(c->error, key->name, "\"%.60s\" is no finite number at t = 0", value->formula);
  }
  return MOTE_OK;
}

// --- Sections ---------------------------------------------------------------------------------------------

static mote_result check_section(const checker *c, const char *section, const void *def);

// An array and its length, of whatever elements.
static mote_result check_array(const checker *c, const mote_scene_key *key, const char *def) {
  const void *items = *(const void *const *)(const void *)(def + key->offset);
  size_t count = *(const size_t *)(const void *)(def + key->count);
  if (items != NULL || count == 0) return MOTE_OK;
  return mote_fail_key(c->error, key->name, "%zu are said to be there, but the array is null", count);
}

static mote_result check_texts(const checker *c, const mote_scene_key *key, const char *def) {
  MOTE_TRY(check_array(c, key, def));
  const char *const *texts = *(const char *const *const *)(const void *)(def + key->offset);
  size_t count = *(const size_t *)(const void *)(def + key->count);
  for (size_t k = 0; k < count; ++k)
    if (texts[k] == NULL) return mote_fail_key(c->error, key->name, "text %zu is null", k + 1);
  return MOTE_OK;
}

static mote_result check_list(const checker *c, const mote_scene_key *key, const char *def) {
  MOTE_TRY(check_array(c, key, def));
  const char *items = *(const char *const *)(const void *)(def + key->offset);
  size_t count = *(const size_t *)(const void *)(def + key->count);
  size_t size = mote_scene_section_size(key->detail);
  for (size_t k = 0; k < count; ++k) {
    mote_result result = check_section(c, key->detail, items + k * size);
    char outer[64];
    snprintf(outer, sizeof outer, "%.31s[%zu]", key->name, k);
    if (result != MOTE_OK) return mote_fail_within(c->error, result, outer);
  }
  return MOTE_OK;
}

static mote_result check_key(const checker *c, const mote_scene_key *key, const char *def) {
  const void *at = def + key->offset;
  switch (key->kind) {
    case MOTE_KEY_NUMBER: return check_numbers(c, key, at, 1);
    case MOTE_KEY_VECTOR:
    case MOTE_KEY_GRAVITY:
    case MOTE_KEY_COLOUR: return check_numbers(c, key, at, 3);
    case MOTE_KEY_PAIR: return check_numbers(c, key, at, 2);
    case MOTE_KEY_INTEGER: return check_integers(c, key, at, 1);
    case MOTE_KEY_PIXELS: return check_integers(c, key, at, 2);
    case MOTE_KEY_COUNT: return check_count(c, key, *(const size_t *)at);
    case MOTE_KEY_VALUE: return check_values(c, key, at, 1);
    case MOTE_KEY_VALUE3: return check_values(c, key, at, 3);
    case MOTE_KEY_CHOICE:
    case MOTE_KEY_QUALITY:
    case MOTE_KEY_KERNEL: return check_choices(c, key, at, 1);
    case MOTE_KEY_SIDES: return check_choices(c, key, at, 2);
    case MOTE_KEY_MATERIAL: {
      const char *name = *(const char *const *)at;
      if (name != NULL && name[0] != '\0') return MOTE_OK;
      return mote_fail_key(c->error, key->name, "a material is missing");
    }
    case MOTE_KEY_SHAPE:
      if (!key->required || ((const mote_shape_def *)at)->kind != MOTE_SHAPE_NONE) return MOTE_OK;
      return mote_fail_key(c->error, key->name, "a shape is missing");
    case MOTE_KEY_MAP:
    case MOTE_KEY_OPTION: return mote_fail_within(c->error, check_section(c, key->detail, at), key->name);
    case MOTE_KEY_LIST: return check_list(c, key, def);
    case MOTE_KEY_NAMED: return check_array(c, key, def);
    case MOTE_KEY_TEXTS: return check_texts(c, key, def);
    case MOTE_KEY_VERSION:
    case MOTE_KEY_TEXT:
    case MOTE_KEY_SEED:
    case MOTE_KEY_SWITCH:
    case MOTE_KEY_PRESET:
    case MOTE_KEY_PARTS: return MOTE_OK;
  }
  return MOTE_OK;
}

static mote_result check_section(const checker *c, const char *section, const void *def) {
  size_t count;
  const mote_scene_key *key = mote_scene_section(section, &count);
  for (size_t k = 0; k < count; ++k)
    if ((key[k].flags & MOTE_KEY_BESIDE) == 0) MOTE_TRY(check_key(c, &key[k], def));
  return MOTE_OK;
}

mote_result mote_section_check(const char *section, const void *def, const mote_env *env, mote_error *error) {
  MOTE_ASSERT(section != NULL && def != NULL);
  checker c = {env, error};
  return check_section(&c, section, def);
}
