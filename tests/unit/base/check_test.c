// Results and errors: names, filling, long text cut, null where nobody asks, handing on.
#include "base/check.h"

#include <string.h>

#include "test.h"

static void names(void) {
  CHECK_TEXT(mote_result_name(MOTE_OK), "ok");
  CHECK_TEXT(mote_result_name(MOTE_ERROR_ARGUMENT), "argument");
  CHECK_TEXT(mote_result_name(MOTE_ERROR_MEMORY), "memory");
  CHECK_TEXT(mote_result_name(MOTE_ERROR_FILE), "file");
  CHECK_TEXT(mote_result_name(MOTE_ERROR_FORMAT), "format");
  CHECK_TEXT(mote_result_name(MOTE_ERROR_NUMERIC), "numeric");
  CHECK_TEXT(mote_result_name((mote_result)999), "unknown");
  char version[32];
  snprintf(version, sizeof version, "%d.%d.%d", MOTE_VERSION_MAJOR, MOTE_VERSION_MINOR, MOTE_VERSION_PATCH);
  CHECK_TEXT(mote_version(), version);
}

static void errors_are_filled(void) {
  mote_error error;
  memset(&error, 'x', sizeof error);
  CHECK(mote_fail(&error, MOTE_ERROR_FORMAT, "row %d of %s", 3, "points") == MOTE_ERROR_FORMAT);
  CHECK(error.code == MOTE_ERROR_FORMAT && error.line == 0 && error.column == 0);
  CHECK_TEXT(error.file, "");
  CHECK_TEXT(error.text, "row 3 of points");
  CHECK(mote_fail(NULL, MOTE_ERROR_FILE, "%s", "unheard") == MOTE_ERROR_FILE);
  CHECK(mote_fail_memory(&error, 12345) == MOTE_ERROR_MEMORY && error.code == MOTE_ERROR_MEMORY);
  CHECK(strstr(error.text, "12345 bytes") != NULL);
  CHECK(mote_fail_memory(NULL, 1) == MOTE_ERROR_MEMORY);
}

static void long_text_is_cut(void) {
  mote_error error;
  char words[1000];
  memset(words, 'y', sizeof words);
  words[sizeof words - 1] = '\0';
  mote_fail(&error, MOTE_ERROR_ARGUMENT, "%s", words);
  CHECK(strlen(error.text) == sizeof error.text - 1);
}

static mote_result hand_on(mote_result result, int *reached) {
  MOTE_TRY(result);
  ++*reached;
  return MOTE_OK;
}

static void failures_are_handed_on(void) {
  int reached = 0;
  CHECK(hand_on(MOTE_ERROR_NUMERIC, &reached) == MOTE_ERROR_NUMERIC && reached == 0);
  CHECK(hand_on(MOTE_OK, &reached) == MOTE_OK && reached == 1);
}

int main(void) {
  names();
  errors_are_filled();
  long_text_is_cut();
  failures_are_handed_on();
  return test_end();
}
