// Reads formulas, by recursive descent, into postfix programs. From loose to tight: c ? a : b, ||, &&,
// comparisons (which do not chain), + -, * /, unary - + !, ^ (to the right).
#include <mote/text.h>
#include <string.h>

#include "scene/formula_program.h"

typedef struct parser {
  const char *text, *variables;
  size_t at;
  int depth;
  size_t waiting;  // values on the stack
  mote_formula *formula;
  mote_error *error;
} parser;

static mote_result parse_choice(parser *p);
static mote_result parse_unary(parser *p);

// The failure at character `at`.
#define FAIL_AT(p, at, ...) fail_column(p, at, mote_fail((p)->error, MOTE_ERROR_FORMAT, __VA_ARGS__))

static mote_result fail_column(parser *p, size_t at, mote_result result) {
  if (p->error != NULL) p->error->column = (int)at + 1;
  return result;
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static char skip_blanks(parser *p) {
  while (p->text[p->at] != 0 && strchr(" \t\r\n", p->text[p->at]) != NULL) ++p->at;
  return p->text[p->at];
}

static bool accept(parser *p, const char *token) {
  skip_blanks(p);
  size_t length = strlen(token);
  if (strncmp(p->text + p->at, token, length) != 0) return false;
  p->at += length;
  return true;
}

static size_t name_length(const char *text) {
  size_t n = 0;
  if (is_letter(text[0]))
    while (is_letter(text[n]) || is_digit(text[n])) ++n;
  return n;
}

// What stands at the reading place, for messages.
static int word_length(const parser *p) {
  size_t n = name_length(p->text + p->at);
  double value;
  if (n == 0)
    n = mote_text_read_double(p->text + p->at, strlen(p->text + p->at), MOTE_TEXT_FINITE, &value).length;
  if (n == 0) n = 1;
  while ((p->text[p->at + n] & 0xc0) == 0x80 && n < 4) ++n;  // the rest of a character in UTF-8
  return n < 40 ? (int)n : 40;
}

static mote_result emit(parser *p, mote_formula_step step) {
  p->waiting -= (size_t)mote_formula_takes(step.op);
  if (++p->waiting > MOTE_FORMULA_STACK) return FAIL_AT(p, p->at, "the formula is nested too deeply");
  MOTE_ASSERT(p->formula->steps < p->formula->capacity);
  p->formula->step[p->formula->steps++] = step;
  return MOTE_OK;
}

static mote_result emit_op(parser *p, mote_formula_op op) {
  return emit(p, (mote_formula_step){.op = op});
}

static mote_result enter(parser *p) {
  if (++p->depth > MOTE_FORMULA_DEPTH)
    return FAIL_AT(p, p->at, "the formula is nested deeper than %d", MOTE_FORMULA_DEPTH);
  return MOTE_OK;
}

// --- Names --------------------------------------------------------------------------------------------

// Copies the next name of the list; returns what is behind it, null when there is none.
static const char *next_variable(const char *list, char name[MOTE_TEXT_WORD]) {
  list += strspn(list, " ");
  size_t n = strcspn(list, " ");
  if (n == 0) return NULL;
  size_t kept = n < MOTE_TEXT_WORD - 1 ? n : MOTE_TEXT_WORD - 1;
  memcpy(name, list, kept);
  name[kept] = 0;
  return list + n;
}

// Its number, -1 when there is none.
static int find_variable(const parser *p, const char *name) {
  char word[MOTE_TEXT_WORD];
  const char *list = p->variables;
  for (int k = 0; k < MOTE_FORMULA_VARIABLES && (list = next_variable(list, word)) != NULL; ++k)
    if (strcmp(word, name) == 0) return k;
  return -1;
}

static const mote_formula_function *find_function(const char *name) {
  size_t count;
  const mote_formula_function *function = mote_formula_functions(&count);
  for (size_t k = 0; k < count; ++k)
    if (strcmp(function[k].name, name) == 0) return &function[k];
  return NULL;
}

static const mote_formula_constant *find_constant(const char *name) {
  size_t count;
  const mote_formula_constant *constant = mote_formula_constants(&count);
  for (size_t k = 0; k < count; ++k)
    if (strcmp(constant[k].name, name) == 0) return &constant[k];
  return NULL;
}

// The known name nearest to `name`, null when none is near; `words` is room for names.
static const char *suggest(const parser *p, const char *name,
                           char words[MOTE_FORMULA_VARIABLES][MOTE_TEXT_WORD]) {
  const char *all[64];
  size_t count, known = 0;
  const mote_formula_function *function = mote_formula_functions(&count);
  for (size_t k = 0; k < count; ++k) all[known++] = function[k].name;
  const mote_formula_constant *constant = mote_formula_constants(&count);
  for (size_t k = 0; k < count; ++k) all[known++] = constant[k].name;
  const char *list = p->variables;
  for (int k = 0; k < MOTE_FORMULA_VARIABLES && (list = next_variable(list, words[k])) != NULL; ++k)
    all[known++] = words[k];
  return strlen(name) < 2 ? NULL : mote_text_closest(name, all, known);  // one letter is near to all
}

static mote_result fail_name(parser *p, size_t at, const char *name) {
  char words[MOTE_FORMULA_VARIABLES][MOTE_TEXT_WORD];
  const char *near = suggest(p, name, words);
  if (near != NULL) return FAIL_AT(p, at, "unknown name \"%s\"; did you mean \"%s\"?", name, near);
  if (p->variables[0] == 0) return FAIL_AT(p, at, "unknown name \"%s\"; there are no variables here", name);
  return FAIL_AT(p, at, "unknown name \"%s\"; the variables are: %s", name, p->variables);
}

// --- Values -------------------------------------------------------------------------------------------

static mote_result close_parenthesis(parser *p, size_t opened) {
  if (accept(p, ")")) return MOTE_OK;
  if (p->text[p->at] == 0)
    return FAIL_AT(p, p->at, "\")\" is missing: \"(\" at %zu is not closed", opened + 1);
  return FAIL_AT(p, p->at, "\")\" or an operator is missing before \"%.*s\"", word_length(p),
                 p->text + p->at);
}

static mote_result fail_count(parser *p, size_t at, const mote_formula_function *function, int count) {
  if (function->most > function->least)
    return FAIL_AT(p, at, "\"%s\" takes %d to %d values, not %d", function->name, function->least,
                   function->most, count);
  return FAIL_AT(p, at, "\"%s\" takes %d value%s, not %d", function->name, function->least,
                 function->least == 1 ? "" : "s", count);
}

// min and max of many are those of two, again and again.
static mote_result parse_call(parser *p, size_t at, const mote_formula_function *function) {
  size_t opened = p->at;
  if (!accept(p, "("))
    return FAIL_AT(p, at, "\"%s\" is a function: \"(\" is missing after it", function->name);
  int count = 0;
  bool many = function->most > function->least;
  if (skip_blanks(p) != ')') {
    do {
      if (++count > function->most) return fail_count(p, at, function, count);
      MOTE_TRY(parse_choice(p));
      if (many && count > 1) MOTE_TRY(emit_op(p, function->op));
    } while (accept(p, ","));
  }
  MOTE_TRY(close_parenthesis(p, opened));
  if (count < function->least) return fail_count(p, at, function, count);
  return many ? MOTE_OK : emit_op(p, function->op);
}

static mote_result parse_name(parser *p) {
  size_t at = p->at, length = name_length(p->text + at);
  char name[MOTE_TEXT_WORD];
  if (length >= sizeof name) return FAIL_AT(p, at, "the name has %zu letters", length);
  memcpy(name, p->text + at, length);
  name[length] = 0;
  p->at += length;
  int variable = find_variable(p, name);
  const mote_formula_function *function = find_function(name);
  const mote_formula_constant *constant = find_constant(name);
  if (variable < 0 && function != NULL) return parse_call(p, at, function);
  if (variable < 0 && constant == NULL) return fail_name(p, at, name);
  if (skip_blanks(p) == '(')
    return FAIL_AT(p, at, "\"%s\" is no function; write %s*(...) for a product", name, name);
  if (variable < 0) return emit(p, (mote_formula_step){.op = MOTE_OP_NUMBER, .number = constant->value});
  p->formula->used |= 1u << variable;
  return emit(p, (mote_formula_step){.op = MOTE_OP_VARIABLE, .variable = variable});
}

static mote_result parse_number(parser *p) {
  double value = 0;
  mote_text_scan scan =
      mote_text_read_double(p->text + p->at, strlen(p->text + p->at), MOTE_TEXT_FINITE, &value);
  if (scan.overflow) return FAIL_AT(p, p->at, "the number is too large");
  p->at += scan.length;
  return emit(p, (mote_formula_step){.op = MOTE_OP_NUMBER, .number = value});
}

static mote_result fail_value(parser *p) {
  unsigned char c = (unsigned char)p->text[p->at];
  if (c == 0) return FAIL_AT(p, p->at, "a value is missing at the end");
  if (c == '*' && p->at > 0 && p->text[p->at - 1] == '*')
    return FAIL_AT(p, p->at - 1, "unknown operator \"**\"; did you mean \"^\"?");
  if (strchr("+-*/^<>=!&|?:,)", c) != NULL) return FAIL_AT(p, p->at, "a value is missing before \"%c\"", c);
  return FAIL_AT(p, p->at, "\"%.*s\" does not belong in a formula", word_length(p), p->text + p->at);
}

static mote_result parse_value(parser *p) {
  char c = skip_blanks(p);
  if (is_letter(c)) return parse_name(p);
  if (is_digit(c) || (c == '.' && is_digit(p->text[p->at + 1]))) return parse_number(p);
  size_t opened = p->at;
  if (!accept(p, "(")) return fail_value(p);
  MOTE_TRY(parse_choice(p));
  return close_parenthesis(p, opened);
}

// --- Operators ----------------------------------------------------------------------------------------

static mote_result parse_power(parser *p) {
  MOTE_TRY(parse_value(p));
  if (!accept(p, "^")) return MOTE_OK;
  MOTE_TRY(parse_unary(p));
  return emit_op(p, MOTE_OP_POWER);
}

static mote_result parse_unary(parser *p) {
  MOTE_TRY(enter(p));
  char c = skip_blanks(p);
  mote_result result;
  if (c == '-' || c == '!' || c == '+') {
    ++p->at;
    result = parse_unary(p);
    if (result == MOTE_OK && c != '+') result = emit_op(p, c == '-' ? MOTE_OP_NEGATE : MOTE_OP_NOT);
  } else {
    result = parse_power(p);
  }
  --p->depth;
  return result;
}

typedef struct binary {
  const char *token;
  int level;
  mote_formula_op op;
} binary;

enum { LEVEL_COMPARISON = 2, LEVELS = 5 };

// Longer tokens before those they begin with.
static const binary binaries[] = {
    {"||", 0, MOTE_OP_OR},         {"&&", 1, MOTE_OP_AND},     {"<=", 2, MOTE_OP_LESS_EQUAL},
    {">=", 2, MOTE_OP_MORE_EQUAL}, {"==", 2, MOTE_OP_EQUAL},   {"!=", 2, MOTE_OP_UNEQUAL},
    {"<", 2, MOTE_OP_LESS},        {">", 2, MOTE_OP_MORE},     {"+", 3, MOTE_OP_ADD},
    {"-", 3, MOTE_OP_SUBTRACT},    {"*", 4, MOTE_OP_MULTIPLY}, {"/", 4, MOTE_OP_DIVIDE},
};

static const binary *accept_binary(parser *p, int level) {
  for (size_t k = 0; k < sizeof binaries / sizeof *binaries; ++k)
    if (binaries[k].level == level && accept(p, binaries[k].token)) return &binaries[k];
  return NULL;
}

static mote_result parse_binary(parser *p, int level) {
  if (level == LEVELS) return parse_unary(p);
  MOTE_TRY(parse_binary(p, level + 1));
  const binary *found;
  for (int count = 0; (found = accept_binary(p, level)) != NULL; ++count) {
    if (level == LEVEL_COMPARISON && count > 0)
      return FAIL_AT(p, p->at - strlen(found->token), "comparisons do not chain; write a < b && b < c");
    MOTE_TRY(parse_binary(p, level + 1));
    MOTE_TRY(emit_op(p, found->op));
  }
  return MOTE_OK;
}

static mote_result parse_choice(parser *p) {
  MOTE_TRY(enter(p));
  MOTE_TRY(parse_binary(p, 0));
  if (accept(p, "?")) {
    size_t asked = p->at;
    MOTE_TRY(parse_choice(p));
    if (!accept(p, ":"))
      return FAIL_AT(p, p->at, "\":\" is missing: \"?\" at %zu has no second value", asked);
    MOTE_TRY(parse_choice(p));
    MOTE_TRY(emit_op(p, MOTE_OP_CHOOSE));
  }
  --p->depth;
  return MOTE_OK;
}

static mote_result fail_rest(parser *p) {
  char c = p->text[p->at];
  if (c == ')') return FAIL_AT(p, p->at, "\")\" has no \"(\"");
  if (c == '=') return FAIL_AT(p, p->at, "unknown operator \"=\"; did you mean \"==\"?");
  if (c == '&' || c == '|')
    return FAIL_AT(p, p->at, "unknown operator \"%c\"; did you mean \"%c%c\"?", c, c, c);
  if (is_letter(c) || is_digit(c) || c == '(' || c == '.')
    return FAIL_AT(p, p->at, "an operator is missing before \"%.*s\"", word_length(p), p->text + p->at);
  return FAIL_AT(p, p->at, "\"%.*s\" does not belong here", word_length(p), p->text + p->at);
}

mote_result mote_formula_parse(const char *text, const char *variables, mote_formula *formula,
                               mote_error *error) {
  parser p = {.text = text, .variables = variables, .formula = formula, .error = error};
  if (skip_blanks(&p) == 0) return FAIL_AT(&p, 0, "the formula is empty");
  MOTE_TRY(parse_choice(&p));
  return skip_blanks(&p) == 0 ? MOTE_OK : fail_rest(&p);
}
