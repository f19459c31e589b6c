// Words for the user, through the environment's callback.
#ifndef MOTE_NOTE_H
#define MOTE_NOTE_H

#include <mote/base.h>

void mote_note(const mote_env *env, mote_log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
