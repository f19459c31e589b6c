// The functions and constants that formulas know.
#include "base/pi.h"
#include "scene/formula_program.h"

static const mote_formula_function functions[] = {
    {"sin", MOTE_OP_SIN, 1, 1},     {"cos", MOTE_OP_COS, 1, 1},   {"tan", MOTE_OP_TAN, 1, 1},
    {"asin", MOTE_OP_ASIN, 1, 1},   {"acos", MOTE_OP_ACOS, 1, 1}, {"atan", MOTE_OP_ATAN, 1, 1},
    {"atan2", MOTE_OP_ATAN2, 2, 2}, {"exp", MOTE_OP_EXP, 1, 1},   {"log", MOTE_OP_LOG, 1, 1},
    {"sqrt", MOTE_OP_SQRT, 1, 1},   {"abs", MOTE_OP_ABS, 1, 1},   {"floor", MOTE_OP_FLOOR, 1, 1},
    {"ceil", MOTE_OP_CEIL, 1, 1},   {"sign", MOTE_OP_SIGN, 1, 1}, {"min", MOTE_OP_MIN, 2, 16},
    {"max", MOTE_OP_MAX, 2, 16},    {"mod", MOTE_OP_MOD, 2, 2},   {"pow", MOTE_OP_POWER, 2, 2},
    {"hypot", MOTE_OP_HYPOT, 2, 2}, {"step", MOTE_OP_STEP, 2, 2}, {"smoothstep", MOTE_OP_SMOOTHSTEP, 3, 3},
    {"clamp", MOTE_OP_CLAMP, 3, 3},
};

static const mote_formula_constant constants[] = {
    {"pi", MOTE_PI},
    {"e", 2.71828182845904523536},
    {"deg", MOTE_PI / 180},
};

const mote_formula_function *mote_formula_functions(size_t *count) {
  *count = sizeof functions / sizeof *functions;
  return functions;
}

const mote_formula_constant *mote_formula_constants(size_t *count) {
  *count = sizeof constants / sizeof *constants;
  return constants;
}
