// Fuzzes the reader of formulas. What compiles must run, twice to the same bits, and a failure must say what
// and where.
#include <mote/formula.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void run(const mote_formula *formula) {
  const double variable[4] = {0.5, -2, 3, 0.25};
  double a = mote_formula_value(formula, variable), b = mote_formula_value(formula, variable);
  if (memcmp(&a, &b, sizeof a) != 0) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  if (text == NULL) abort();
  if (size > 0) memcpy(text, data, size);
  text[size] = 0;
  mote_formula *formula = NULL;
  mote_error error = {0};
  if (mote_formula_create(text, "x y z t", NULL, &formula, &error) == MOTE_OK)
    run(formula);
  else if (error.text[0] == 0 || error.column > (int)strlen(text) + 1)
    abort();
  mote_formula_destroy(formula);
  free(text);
  return 0;
}
