// Compiled values of definitions: see quantity.h.
#include "things/quantity.h"

#include <math.h>

#include "base/check.h"

#define VARIABLES_MAX 8

static bool varies(const mote_formula *formula, const char *variables) {
  int count = 1;
  for (const char *c = variables; *c != '\0'; ++c) count += *c == ' ';
  for (int k = 0; k < count; ++k) {
    if (mote_formula_uses(formula, k)) return true;
  }
  return false;
}

mote_result mote_quantity_make(const mote_value *value, const char *variables, const char *key,
                               const mote_env *env, mote_quantity *out, mote_error *error) {
  MOTE_ASSERT(value != NULL && variables != NULL && key != NULL && out != NULL);
  *out = (mote_quantity){.constant = value->constant};
  if (value->formula != NULL) {
    mote_formula *formula;
    mote_result result = mote_formula_create(value->formula, variables, env, &formula, error);
    if (result) return mote_fail_within(error, result, key);
    if (varies(formula, variables)) {
      out->formula = formula;
      return MOTE_OK;
    }
    static const double none[VARIABLES_MAX];
    out->constant = mote_formula_value(formula, none);
    mote_formula_destroy(formula);
  }
  if (!isfinite(out->constant)) return mote_fail_key(error, key, "must be a finite number");
  return MOTE_OK;
}

mote_result mote_quantity_make3(const mote_value3 *value, const char *variables, const char *key,
                                const mote_env *env, mote_quantity out[3], mote_error *error) {
  MOTE_ASSERT(value != NULL && variables != NULL && key != NULL);
  const mote_value *part[3] = {&value->x, &value->y, &value->z};
  static const char *const name[3] = {"x", "y", "z"};
  for (int a = 0; a < 3; ++a) {
    mote_result result = mote_quantity_make(part[a], variables, name[a], env, &out[a], error);
    if (result == MOTE_OK) continue;
    while (--a >= 0) mote_quantity_free(&out[a]);
    return mote_fail_within(error, result, key);
  }
  return MOTE_OK;
}

void mote_quantity_free(mote_quantity *quantity) {
  MOTE_ASSERT(quantity != NULL);
  mote_formula_destroy(quantity->formula);
  *quantity = (mote_quantity){0};
}
