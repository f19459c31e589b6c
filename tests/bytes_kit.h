// What tests that write and read in memory share: bytes that grow when written, and are read from the front.
#ifndef MOTE_BYTES_KIT_H
#define MOTE_BYTES_KIT_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct kit_bytes {
  unsigned char *data;
  size_t size, at;
} kit_bytes;

static inline bool kit_write(void *user, const void *bytes, size_t size) {
  kit_bytes *to = user;
  unsigned char *grown = realloc(to->data, to->size + size);
  if (grown == NULL) return false;
  memcpy(grown + to->size, bytes, size);
  to->data = grown;
  to->size += size;
  return true;
}

static inline bool kit_read(void *user, void *bytes, size_t size) {
  kit_bytes *from = user;
  if (size > from->size - from->at) return false;
  memcpy(bytes, from->data + from->at, size);
  from->at += size;
  return true;
}

#endif
