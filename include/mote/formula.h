// Formulas in named variables: numbers, + - * / ^, comparisons, c ? a : b, parentheses, functions and
// constants (docs/formulas.md). The same bits on every machine.
#ifndef MOTE_FORMULA_H
#define MOTE_FORMULA_H

#include <mote/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mote_formula mote_formula;

// Compiles `text`; `variables` names them, separated by blanks ("x y z t"). FORMAT, with the column (1-based)
// in the error, when the text is no formula; unknown names are answered with the nearest known one.
MOTE_API mote_result mote_formula_create(const char *text, const char *variables, const mote_env *env,
                                         mote_formula **out, mote_error *error);
MOTE_API void mote_formula_destroy(mote_formula *formula);

// The value for the variables in the order in which they were named. Any number of threads may ask at once.
MOTE_API double mote_formula_value(const mote_formula *formula, const double *variable);

// Whether the value depends on variable k.
MOTE_API bool mote_formula_uses(const mote_formula *formula, int k);

#ifdef __cplusplus
}
#endif
#endif
