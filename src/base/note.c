// Words for the user: see note.h.
#include "base/note.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/check.h"

void mote_note(const mote_env *env, mote_log_level level, const char *format, ...) {
  MOTE_ASSERT(env != NULL && format != NULL);
  if (env->log == NULL) return;
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  env->log(env->log_user, level, text);
}
