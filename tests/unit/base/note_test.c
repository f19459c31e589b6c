// Words for the user: silence without a callback, level, text and user pointer with one, long text cut.
#include "base/note.h"

#include <string.h>

#include "test.h"

typedef struct heard {
  int count;
  mote_log_level level;
  char text[2000];
} heard;

static void listen(void *user, mote_log_level level, const char *text) {
  heard *h = user;
  ++h->count;
  h->level = level;
  snprintf(h->text, sizeof h->text, "%s", text);
}

int main(void) {
  mote_env silent = mote_env_default();
  mote_note(&silent, MOTE_LOG_WARNING, "nobody hears %d", 1);

  heard h = {0};
  mote_env env = mote_env_default();
  env.log = listen;
  env.log_user = &h;
  mote_note(&env, MOTE_LOG_INFO, "%d particles in %s", 7, "box");
  CHECK(h.count == 1 && h.level == MOTE_LOG_INFO);
  CHECK_TEXT(h.text, "7 particles in box");

  char words[1500];
  memset(words, 'x', sizeof words);
  words[sizeof words - 1] = '\0';
  mote_note(&env, MOTE_LOG_DEBUG, "%s", words);
  CHECK(h.count == 2 && h.level == MOTE_LOG_DEBUG);
  CHECK(strlen(h.text) == 1023 && strspn(h.text, "x") == 1023);
  return test_end();
}
