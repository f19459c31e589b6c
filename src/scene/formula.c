// Formulas: making them and running their programs. Nothing branches on values but the arithmetic itself:
// both sides of c ? a : b are computed and one is chosen.
#include <math.h>
#include <mote/numeric.h>
#include <string.h>

#include "base/memory.h"
#include "scene/formula_program.h"

static size_t bytes(size_t capacity) {
  return sizeof(mote_formula) + capacity * sizeof(mote_formula_step);
}

mote_result mote_formula_create(const char *text, const char *variables, const mote_env *env,
                                mote_formula **out, mote_error *error) {
  if (text == NULL || variables == NULL || out == NULL)
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "text, variables and out must not be null");
  size_t length = strlen(text);
  if (length > MOTE_FORMULA_LENGTH)
    return mote_fail(error, MOTE_ERROR_FORMAT, "the formula has %zu characters; %d are the most", length,
                     MOTE_FORMULA_LENGTH);
  mote_env own = mote_env_resolve(env);
  mote_formula *formula = mote_alloc(&own, 1, bytes(length));
  if (formula == NULL) return mote_fail_memory(error, bytes(length));
  *formula = (mote_formula){.env = own, .capacity = length};
  mote_result result = mote_formula_parse(text, variables, formula, error);
  if (result == MOTE_OK)
    *out = formula;
  else
    mote_formula_destroy(formula);
  return result;
}

void mote_formula_destroy(mote_formula *formula) {
  if (formula == NULL) return;
  mote_env env = formula->env;
  mote_free(&env, formula, 1, bytes(formula->capacity));
}

bool mote_formula_uses(const mote_formula *formula, int k) {
  return k >= 0 && k < MOTE_FORMULA_VARIABLES && (formula->used >> k & 1) != 0;
}

static double of_one(mote_formula_op op, double x) {
  switch ((int)op) {
    case MOTE_OP_NEGATE: return -x;
    case MOTE_OP_NOT: return x == 0;
    case MOTE_OP_SIN: return mote_sin(x);
    case MOTE_OP_COS: return mote_cos(x);
    case MOTE_OP_TAN: return mote_sin(x) / mote_cos(x);
    case MOTE_OP_ASIN: return mote_atan2(x, sqrt((1 - x) * (1 + x)));
    case MOTE_OP_ACOS: return mote_acos(x);
    case MOTE_OP_ATAN: return mote_atan2(x, 1);
    case MOTE_OP_EXP: return mote_exp(x);
    case MOTE_OP_LOG: return mote_log(x);
    case MOTE_OP_SQRT: return sqrt(x);
    case MOTE_OP_ABS: return fabs(x);
    case MOTE_OP_FLOOR: return floor(x);
    case MOTE_OP_CEIL: return ceil(x);
    default: return x > 0 ? 1 : x < 0 ? -1 : x;  // sign: 0 and NaN stay
  }
}

// Scaled, so that no square overflows.
static double hypotenuse(double x, double y) {
  double a = fabs(x), b = fabs(y), more = a > b ? a : b, less = a > b ? b : a;
  if (more == 0 || isinf(more)) return more;
  return more * sqrt(1 + (less / more) * (less / more));
}

// In [0, y), or (y, 0] for negative y.
static double modulo(double x, double y) {
  double r = fmod(x, y);
  return r != 0 && (r < 0) != (y < 0) ? r + y : r;
}

static double of_two(mote_formula_op op, double x, double y) {
  switch ((int)op) {
    case MOTE_OP_ADD: return x + y;
    case MOTE_OP_SUBTRACT: return x - y;
    case MOTE_OP_MULTIPLY: return x * y;
    case MOTE_OP_DIVIDE: return x / y;
    case MOTE_OP_POWER: return y == 2 ? x * x : mote_pow(x, y);
    case MOTE_OP_LESS: return x < y;
    case MOTE_OP_LESS_EQUAL: return x <= y;
    case MOTE_OP_MORE: return x > y;
    case MOTE_OP_MORE_EQUAL: return x >= y;
    case MOTE_OP_EQUAL: return x == y;
    case MOTE_OP_UNEQUAL: return x != y;
    case MOTE_OP_AND: return x != 0 && y != 0;
    case MOTE_OP_OR: return x != 0 || y != 0;
    case MOTE_OP_ATAN2: return mote_atan2(x, y);
    case MOTE_OP_MIN: return x < y ? x : y;
    case MOTE_OP_MAX: return x > y ? x : y;
    case MOTE_OP_MOD: return modulo(x, y);
    case MOTE_OP_STEP: return y < x ? 0 : 1;
    default: return hypotenuse(x, y);
  }
}

static double clamped(double x, double low, double high) {
  return x < low ? low : x > high ? high : x;
}

static double of_three(mote_formula_op op, double x, double y, double z) {
  if (op == MOTE_OP_CHOOSE) return x != 0 ? y : z;
  if (op == MOTE_OP_CLAMP) return clamped(x, y, z);
  double s = clamped((z - x) / (y - x), 0, 1);
  return s * s * (3 - 2 * s);
}

double mote_formula_value(const mote_formula *formula, const double *variable) {
  double stack[MOTE_FORMULA_STACK];
  int top = -1;
  stack[0] = 0.0;
  for (size_t k = 0; k < formula->steps; ++k) {
    const mote_formula_step *step = &formula->step[k];
    int takes = mote_formula_takes(step->op);
    top -= takes - 1;
    double *x = stack + top;
    if (takes == 2)
      *x = of_two(step->op, x[0], x[1]);
    else if (takes == 1)
      *x = of_one(step->op, *x);
    else if (takes == 3)
      *x = of_three(step->op, x[0], x[1], x[2]);
    else
      *x = step->op == MOTE_OP_NUMBER ? step->number : variable[step->variable];
  }
  return stack[0];
}
