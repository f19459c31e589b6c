// A formula as a postfix program: what the parser writes and mote_formula_value runs.
#ifndef MOTE_FORMULA_PROGRAM_H
#define MOTE_FORMULA_PROGRAM_H

#include <mote/formula.h>

#include "base/check.h"

#define MOTE_FORMULA_LENGTH 4096   // characters
#define MOTE_FORMULA_DEPTH 64      // of parentheses, calls and other nesting
#define MOTE_FORMULA_STACK 256     // values that wait
#define MOTE_FORMULA_VARIABLES 16  // names

// In the order of how many values they take: mote_formula_takes counts on it.
typedef enum mote_formula_op {
  MOTE_OP_NUMBER,
  MOTE_OP_VARIABLE,
  MOTE_OP_NEGATE,  // one value
  MOTE_OP_NOT,
  MOTE_OP_SIN,
  MOTE_OP_COS,
  MOTE_OP_TAN,
  MOTE_OP_ASIN,
  MOTE_OP_ACOS,
  MOTE_OP_ATAN,
  MOTE_OP_EXP,
  MOTE_OP_LOG,
  MOTE_OP_SQRT,
  MOTE_OP_ABS,
  MOTE_OP_FLOOR,
  MOTE_OP_CEIL,
  MOTE_OP_SIGN,
  MOTE_OP_ADD,  // two values
  MOTE_OP_SUBTRACT,
  MOTE_OP_MULTIPLY,
  MOTE_OP_DIVIDE,
  MOTE_OP_POWER,
  MOTE_OP_LESS,
  MOTE_OP_LESS_EQUAL,
  MOTE_OP_MORE,
  MOTE_OP_MORE_EQUAL,
  MOTE_OP_EQUAL,
  MOTE_OP_UNEQUAL,
  MOTE_OP_AND,
  MOTE_OP_OR,
  MOTE_OP_ATAN2,
  MOTE_OP_MIN,
  MOTE_OP_MAX,
  MOTE_OP_MOD,
  MOTE_OP_STEP,
  MOTE_OP_HYPOT,
  MOTE_OP_CHOOSE,  // three values
  MOTE_OP_CLAMP,
  MOTE_OP_SMOOTHSTEP,
} mote_formula_op;

typedef struct mote_formula_step {
  mote_formula_op op;
  int variable;
  double number;
} mote_formula_step;

struct mote_formula {
  mote_env env;
  uint32_t used;  // bit k: variable k
  size_t steps, capacity;
  mote_formula_step step[];
};

typedef struct mote_formula_function {
  const char *name;
  mote_formula_op op;
  int least, most;  // values
} mote_formula_function;

typedef struct mote_formula_constant {
  const char *name;
  double value;
} mote_formula_constant;

const mote_formula_function *mote_formula_functions(size_t *count);
const mote_formula_constant *mote_formula_constants(size_t *count);

// How many values the operation takes.
static inline int mote_formula_takes(mote_formula_op op) {
  return op < MOTE_OP_NEGATE ? 0 : op < MOTE_OP_ADD ? 1 : op < MOTE_OP_CHOOSE ? 2 : 3;
}

// Writes the program of `text` into `formula`, which has room for a step per character.
mote_result mote_formula_parse(const char *text, const char *variables, mote_formula *formula,
                               mote_error *error);

#endif
