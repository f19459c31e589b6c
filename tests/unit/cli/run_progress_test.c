// What is said beside a progress bar is cut between its parts.
// Links apps/cli/base/run_progress.c apps/cli/base/options.c
#include "cli/base/run_progress.h"

#include <string.h>

#include "test.h"

static void whole_parts_fit(void) {
  const char *text = " 7 %, 2 s left, frame 1/2";
  CHECK(run_progress_fit(text, 80) == strlen(text) && run_progress_fit(text, strlen(text)) == strlen(text));
  CHECK(run_progress_fit(text, strlen(text) - 1) == strlen(" 7 %, 2 s left"));
  CHECK(run_progress_fit(text, strlen(" 7 %, 2 s left")) == strlen(" 7 %, 2 s left"));
  CHECK(run_progress_fit(text, 13) == strlen(" 7 %"));
  CHECK(run_progress_fit(text, 3) == 0 && run_progress_fit("", 0) == 0);
}

int main(void) {
  whole_parts_fit();
  return test_end();
}
