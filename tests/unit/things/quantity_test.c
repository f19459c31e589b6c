// Values made ready: numbers, formulas, formulas that are numbers, errors, memory.
#include "things/quantity.h"

#include <math.h>

#include "stingy.h"
#include "test.h"

static void numbers(void) {
  mote_quantity q;
  CHECK(mote_quantity_make(&(mote_value){.constant = 2.5}, "t", "speed", NULL, &q, NULL) == MOTE_OK);
  double t = 7.0;
  CHECK(q.formula == NULL && mote_quantity_at(&q, &t) == 2.5);
  mote_quantity_free(&q);
  CHECK(mote_quantity_make(&(mote_value){.formula = "3*t"}, "t", "speed", NULL, &q, NULL) == MOTE_OK);
  CHECK(q.formula != NULL && mote_quantity_at(&q, &t) == 21.0);
  mote_quantity_free(&q);
  CHECK(q.formula == NULL);
  CHECK(mote_quantity_make(&(mote_value){.formula = "2^3"}, "x y z t", "speed", NULL, &q, NULL) == MOTE_OK);
  CHECK(q.formula == NULL && q.constant == 8.0);
  mote_quantity_free(&q);
}

static void errors(void) {
  mote_quantity q, three[3];
  mote_error error;
  CHECK(mote_quantity_make(&(mote_value){.constant = (double)NAN}, "t", "speed", NULL, &q, &error) !=
        MOTE_OK);
  CHECK_TEXT(error.key, "speed");
  CHECK(mote_quantity_make(&(mote_value){.formula = "1/0"}, "t", "speed", NULL, &q, &error) != MOTE_OK);
  CHECK_TEXT(error.key, "speed");
  CHECK(mote_quantity_make(&(mote_value){.formula = "1+u"}, "t", "speed", NULL, &q, &error) ==
        MOTE_ERROR_FORMAT);
  CHECK_TEXT(error.key, "speed");
  CHECK(error.column == 3);
  mote_value3 value = {.x.formula = "t", .y.formula = "t*t", .z.formula = "t t"};
  CHECK(mote_quantity_make3(&value, "t", "move", NULL, three, &error) == MOTE_ERROR_FORMAT);
  CHECK_TEXT(error.key, "move.z");
}

static void short_of_memory(void) {
  mote_value3 value = {.x.formula = "t", .y.formula = "t*t", .z.formula = "t^3"};
  for (int granted = 0; granted < 100; ++granted) {
    stingy s;
    mote_env env = stingy_env(&s, granted);
    mote_quantity three[3];
    mote_result result = mote_quantity_make3(&value, "t", "move", &env, three, NULL);
    CHECK(result == MOTE_OK || result == MOTE_ERROR_MEMORY);
    for (int a = 0; a < 3 && result == MOTE_OK; ++a) mote_quantity_free(&three[a]);
    CHECK(s.held == 0);
    if (result == MOTE_OK) return;
  }
  CHECK(false);
}

int main(void) {
  numbers();
  errors();
  short_of_memory();
  return test_end();
}
