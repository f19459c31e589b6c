// A definition's value, compiled: a number, or a variable formula.
#ifndef MOTE_QUANTITY_H
#define MOTE_QUANTITY_H

#include <mote/formula.h>
#include <mote/scene.h>

typedef struct mote_quantity {
  mote_formula *formula;  // null: the constant
  double constant;
} mote_quantity;

// `variables` as of mote_formula_create. A formula without any is a constant. Errors name `key`.
mote_result mote_quantity_make(const mote_value *value, const char *variables, const char *key,
                               const mote_env *env, mote_quantity *out, mote_error *error);
// All three of a vector, or none; keys are `key`.x, .y, .z.
mote_result mote_quantity_make3(const mote_value3 *value, const char *variables, const char *key,
                                const mote_env *env, mote_quantity out[3], mote_error *error);
void mote_quantity_free(mote_quantity *quantity);

static inline double mote_quantity_at(const mote_quantity *quantity, const double *variable) {
  return quantity->formula == NULL ? quantity->constant : mote_formula_value(quantity->formula, variable);
}

#endif
