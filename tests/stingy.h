// An environment whose memory runs out: the first `left` requests are granted, the others refused; what is
// still held is counted.
#ifndef MOTE_STINGY_H
#define MOTE_STINGY_H

#include <mote/base.h>

typedef struct stingy {
  mote_env plain;
  int left, held;
} stingy;

static inline void *stingy_resize(void *user, void *block, size_t old_size, size_t size) {
  stingy *s = user;
  if (size > 0 && s->left-- <= 0) return NULL;
  s->held += (size > 0 && block == NULL) - (size == 0 && block != NULL);
  return s->plain.resize(s->plain.resize_user, block, old_size, size);
}

static inline mote_env stingy_env(stingy *s, int granted) {
  *s = (stingy){.plain = mote_env_default(), .left = granted};
  mote_env env = s->plain;
  env.resize = stingy_resize;
  env.resize_user = s;
  return env;
}

#endif
