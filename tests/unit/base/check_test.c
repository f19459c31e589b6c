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

static void add(mote_error_list *list, const char *file, int line, int column) {
  mote_error error = {.code = MOTE_ERROR_FORMAT, .line = line, .column = column};
  snprintf(error.file, sizeof error.file, "%s", file);
  snprintf(error.text, sizeof error.text, "%s:%d:%d", file, line, column);
  mote_error_list_add(list, &error);
}

// By place in each file, files in the order of their first error, the same error once; what is too much is
// counted, and the last in place drops out.
static void lists_are_sorted(void) {
  mote_error_list list = {0};
  add(&list, "b", 5, 1), add(&list, "b", 4, 9), add(&list, "a", 1, 1), add(&list, "b", 5, 0);
  add(&list, "b", 4, 9), add(&list, "b", 7, 2), add(&list, "a", 1, 0);
  static const char *const expected[] = {"b:4:9", "b:5:0", "b:5:1", "b:7:2", "a:1:0", "a:1:1"};
  CHECK(list.count == 6);
  for (size_t k = 0; k < 6; ++k) CHECK_TEXT(list.error[k].text, expected[k]);
  for (int line = 20; line > 10; --line) add(&list, "b", line, 1);
  CHECK(list.count == 16);
  CHECK_TEXT(list.error[4].text, "b:11:1");
  CHECK_TEXT(list.error[9].text, "b:16:1");
  add(&list, "b", 1, 1);
  CHECK_TEXT(list.error[0].text, "b:1:1");
  CHECK_TEXT(list.error[9].text, "b:15:1");
  CHECK(list.count == 17);
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
  lists_are_sorted();
  long_text_is_cut();
  failures_are_handed_on();
  return test_end();
}
