// Formulas: a table of values, precedence, derivatives against differences, every message with its column.
#include <math.h>
#include <mote/formula.h>
#include <mote/numeric.h>
#include <stdlib.h>

#include "test.h"

static const double at[4] = {0.5, -2, 3, 0.25};  // x y z t

static double value(const char *text, const double *variable) {
  mote_formula *formula = NULL;
  mote_error error;
  if (mote_formula_create(text, "x y z t", NULL, &formula, &error) != MOTE_OK) {
    fprintf(stderr, "%s: %d: %s\n", text, error.column, error.text);
    return (double)NAN;
  }
  double result = mote_formula_value(formula, variable);
  mote_formula_destroy(formula);
  return result;
}

static void test_values(void) {
  static const struct {
    const char *text;
    double value;
  } table[] = {
      {"1", 1},
      {" 1.5e2 ", 150},
      {".5", 0.5},
      {"1+2*3", 7},
      {"(1+2)*3", 9},
      {"8/4/2", 1},
      {"2-3-4", -5},
      {"2^3^2", 512},
      {"-2^2", -4},
      {"2^-1", 0.5},
      {"--3", 3},
      {"+3", 3},
      {"2*-3", -6},
      {"x", 0.5},
      {"x*y+z", 2},
      {"x<y", 0},
      {"x>y", 1},
      {"x<=0.5", 1},
      {"x>=0.6", 0},
      {"x==0.5", 1},
      {"x!=0.5", 0},
      {"!x", 0},
      {"!0", 1},
      {"1 && 0", 0},
      {"1 && 2", 1},
      {"0 || 0", 0},
      {"0 || y", 1},
      {"1 || 0 && 0", 1},
      {"x < 1 && y < 0 || 0", 1},
      {"x > 0 ? 5 : 7", 5},
      {"x < 0 ? 5 : 7", 7},
      {"0 ? 1 : 0 ? 2 : 3", 3},
      {"1 ? 0 ? 1 : 2 : 3", 2},
      {"x<0 ? sqrt(x-1) : 4", 4},
      {"min(3,1,2)", 1},
      {"max(3,1,7,2)", 7},
      {"abs(y)", 2},
      {"floor(y-0.5)", -3},
      {"ceil(0.2)", 1},
      {"sign(y)+sign(z)+sign(0)", 0},
      {"mod(7,3)", 1},
      {"mod(-1,3)", 2},
      {"mod(1,-3)", -2},
      {"step(1,0.5)", 0},
      {"step(1,1)", 1},
      {"smoothstep(0,2,1)", 0.5},
      {"smoothstep(0,1,5)", 1},
      {"clamp(5,0,1)", 1},
      {"clamp(-5,0,1)", 0},
      {"hypot(3,4)", 5},
      {"hypot(3e200,4e200)/1e200", 5},
      {"hypot(0,0)", 0},
      {"sqrt(16)", 4},
      {"pow(2,10)", 1024},
      {"exp(0)", 1},
      {"log(1)", 0},
      {"cos(0)", 1},
      {"1\n+\t1", 2},
      {"0.1+0.2", 0.1 + 0.2},
  };
  for (size_t k = 0; k < sizeof table / sizeof *table; ++k)
    if (!CHECK_NEAR(value(table[k].text, at), table[k].value, 4e-16 * fabs(table[k].value)))
      fprintf(stderr, "  %s\n", table[k].text);
}

static void test_functions(void) {
  for (double x = -0.95; x < 1; x += 0.1) {
    double v[4] = {x, 0, 0, 0};
    CHECK_NEAR(value("sin(x)^2+cos(x)^2", v), 1, 1e-15);
    CHECK_NEAR(value("tan(atan(x))", v), x, 4e-15);
    CHECK_NEAR(value("sin(asin(x))", v), x, 1e-15);
    CHECK_NEAR(value("cos(acos(x))", v), x, 1e-15);
    CHECK_NEAR(value("log(exp(x))", v), x, 1e-15);
    CHECK_NEAR(value("atan2(sin(x),cos(x))", v), x, 1e-15);
    CHECK(value("sin(x)", v) == mote_sin(x));
  }
  CHECK_NEAR(value("sin(90*deg)", at), 1, 1e-15);
  CHECK_NEAR(value("pi", at), acos(-1.0), 0);
  CHECK_NEAR(value("log(e)", at), 1, 1e-15);
  CHECK(isnan(value("sqrt(-1)", at)));
  CHECK(isinf(value("1/0", at)));
}

// Derivatives written by hand against central differences: error of second order in h.
static void test_differences(void) {
  static const char *const pair[][2] = {
      {"sin(3*x)*exp(-x)", "3*cos(3*x)*exp(-x)-sin(3*x)*exp(-x)"},
      {"x^3-2*x", "3*x^2-2"},
      {"log(1+x^2)", "2*x/(1+x^2)"},
      {"smoothstep(0,2,x)", "6*x/2*(1-x/2)/2"},
      {"sqrt(1+x)", "0.5/sqrt(1+x)"},
  };
  double h = 1e-5;
  for (size_t k = 0; k < sizeof pair / sizeof *pair; ++k)
    for (double x = 0.1; x < 1; x += 0.2) {
      double low[4] = {x - h, 0, 0, 0}, high[4] = {x + h, 0, 0, 0}, here[4] = {x, 0, 0, 0};
      double slope = (value(pair[k][0], high) - value(pair[k][0], low)) / (2 * h);
      CHECK_NEAR(slope, value(pair[k][1], here), 30 * h * h + 1e-10);
    }
}

static void test_uses(void) {
  mote_formula *formula = NULL;
  CHECK(mote_formula_create("x+sin(t)", "x y z t", NULL, &formula, NULL) == MOTE_OK);
  CHECK(mote_formula_uses(formula, 0) && mote_formula_uses(formula, 3));
  CHECK(!mote_formula_uses(formula, 1) && !mote_formula_uses(formula, 2));
  CHECK(!mote_formula_uses(formula, -1) && !mote_formula_uses(formula, 99));
  mote_formula_destroy(formula);
  CHECK(mote_formula_create("x", "", NULL, &formula, NULL) == MOTE_ERROR_FORMAT);
  CHECK(mote_formula_create(NULL, "", NULL, &formula, NULL) == MOTE_ERROR_ARGUMENT);
  mote_formula_destroy(NULL);
}

static void test_messages(void) {
  static const struct {
    const char *text;
    int column;
    const char *message;
  } table[] = {
      {"", 1, "the formula is empty"},
      {"  ", 1, "the formula is empty"},
      {"sni(x)", 1, "unknown name \"sni\"; did you mean \"sin\"?"},
      {"2*sqr(x)", 3, "unknown name \"sqr\"; did you mean \"sqrt\"?"},
      {"q", 1, "unknown name \"q\"; the variables are: x y z t"},
      {"x+PI", 3, "unknown name \"PI\"; did you mean \"pi\"?"},
      {"sin(x", 6, "\")\" is missing: \"(\" at 4 is not closed"},
      {"(1+2", 5, "\")\" is missing: \"(\" at 1 is not closed"},
      {"(1 2)", 4, "\")\" or an operator is missing before \"2\""},
      {"1)", 2, "\")\" has no \"(\""},
      {"1+", 3, "a value is missing at the end"},
      {"1+*2", 3, "a value is missing before \"*\""},
      {"x**2", 2, "unknown operator \"**\"; did you mean \"^\"?"},
      {"x=2", 2, "unknown operator \"=\"; did you mean \"==\"?"},
      {"x & y", 3, "unknown operator \"&\"; did you mean \"&&\"?"},
      {"1<x<2", 4, "comparisons do not chain; write a < b && b < c"},
      {"sin", 1, "\"sin\" is a function: \"(\" is missing after it"},
      {"sin()", 1, "\"sin\" takes 1 value, not 0"},
      {"atan2(1)", 1, "\"atan2\" takes 2 values, not 1"},
      {"sin(1,2)", 1, "\"sin\" takes 1 value, not 2"},
      {"min(1)", 1, "\"min\" takes 2 to 16 values, not 1"},
      {"x(2)", 1, "\"x\" is no function; write x*(...) for a product"},
      {"2x", 2, "an operator is missing before \"x\""},
      {"x ? 1", 6, "\":\" is missing: \"?\" at 3 has no second value"},
      {"1 @ 2", 3, "\"@\" does not belong here"},
      {"#", 1, "\"#\" does not belong in a formula"},
      {"\xc3\xa4+1", 1, "\"\xc3\xa4\" does not belong in a formula"},
      {"1e999", 1, "the number is too large"},
      {"x y", 3, "an operator is missing before \"y\""},
  };
  for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
    mote_formula *formula = NULL;
    mote_error error = {0};
    CHECK(mote_formula_create(table[k].text, "x y z t", NULL, &formula, &error) == MOTE_ERROR_FORMAT);
    if (!CHECK_TEXT(error.text, table[k].message) || !CHECK(error.column == table[k].column))
      fprintf(stderr, "  %s: %d: %s\n", table[k].text, error.column, error.text);
    CHECK(formula == NULL);
    mote_formula_destroy(formula);
  }
}

static void test_limits(void) {
  static char text[5000];
  mote_formula *formula = NULL;
  memset(text, '(', 4000);
  CHECK(mote_formula_create(text, "", NULL, &formula, NULL) == MOTE_ERROR_FORMAT);
  memset(text, '-', 4000);
  CHECK(mote_formula_create(text, "", NULL, &formula, NULL) == MOTE_ERROR_FORMAT);
  memset(text, '1', 4999);
  CHECK(mote_formula_create(text, "", NULL, &formula, NULL) == MOTE_ERROR_FORMAT);
  for (size_t k = 0; k < 4095; k += 2) memcpy(text + k, "1+", 2);
  text[4095] = 0;
  CHECK(mote_formula_create(text, "", NULL, &formula, NULL) == MOTE_OK);
  CHECK(mote_formula_value(formula, NULL) == 2048);
  mote_formula_destroy(formula);
}

static void *refuse(void *user, void *block, size_t old_size, size_t size) {
  (void)user, (void)old_size, (void)size;
  free(block);
  return NULL;
}

int main(void) {
  test_values();
  test_functions();
  test_differences();
  test_uses();
  test_messages();
  test_limits();
  mote_env env = mote_env_default();
  env.resize = refuse;
  mote_formula *formula = NULL;
  CHECK(mote_formula_create("1", "", &env, &formula, NULL) == MOTE_ERROR_MEMORY);
  return test_end();
}
