// Files that are there whole or not at all: see part_file.h.
#define _POSIX_C_SOURCE 200809L
#include "part_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

static bool refuse(const part_file *out, const char *what) {
  complain("%s: %s: %s", out->path, what, strerror(errno));
  return false;
}

bool part_file_open(part_file *out, const char *path) {
  snprintf(out->path, sizeof out->path, "%s", path);
  snprintf(out->part, sizeof out->part, "%s.part", path);
  out->file = fopen(out->part, "wb");
  return out->file != NULL || refuse(out, "cannot be made");
}

bool part_file_write(void *out, const void *bytes, size_t size) {
  return fwrite(bytes, 1, size, ((part_file *)out)->file) == size;
}

void part_file_drop(part_file *out) {
  fclose(out->file);
  unlink(out->part);
}

bool part_file_close(part_file *out) {
  if (ferror(out->file) || fflush(out->file) != 0 || fsync(fileno(out->file)) != 0) {
    int trouble = errno;
    part_file_drop(out);
    errno = trouble;
    return refuse(out, "cannot be written");
  }
  if (fclose(out->file) == 0 && rename(out->part, out->path) == 0) return true;
  refuse(out, "cannot be written");
  unlink(out->part);
  return false;
}

bool part_file_put(const char *path, const char *text, size_t size) {
  part_file out;
  if (!part_file_open(&out, path)) return false;
  part_file_write(&out, text, size);
  return part_file_close(&out);
}
