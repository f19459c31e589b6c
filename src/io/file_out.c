// Files written beside their name and renamed; compressed by zlib where the name ends in .gz.
#define _POSIX_C_SOURCE 200809L
#define ZLIB_CONST
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "io/io_base.h"

#define BUFFER_SIZE ((size_t)1 << 16)
#define PATH_MOST 4096

struct mote_file_out {
  mote_env env;
  int file;     // the system's number
  int reason;   // errno of the first failure
  bool beside;  // written as PATH.part
  bool durable, packed;
  z_stream pack;
  size_t used;  // bytes waiting in `buffer`
  char path[PATH_MOST], part[PATH_MOST];
  uint8_t buffer[BUFFER_SIZE];
};

static bool write_all(mote_file_out *out, const uint8_t *bytes, size_t size) {
  while (size > 0 && out->reason == 0) {
    ssize_t wrote = write(out->file, bytes, size);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) {
      out->reason = wrote < 0 ? errno : EIO;
      break;
    }
    bytes += wrote;
    size -= (size_t)wrote;
  }
  return out->reason == 0;
}

static bool drain(mote_file_out *out) {
  size_t used = out->used;
  out->used = 0;
  return write_all(out, out->buffer, used);
}

// Small writes are buffered, large ones are not.
static bool put_plain(mote_file_out *out, const void *bytes, size_t size) {
  if (size > BUFFER_SIZE - out->used && !drain(out)) return false;
  if (size >= BUFFER_SIZE) return write_all(out, bytes, size);
  if (size > 0) memcpy(out->buffer + out->used, bytes, size);
  out->used += size;
  return out->reason == 0;
}

static bool put_packed(mote_file_out *out, const void *bytes, size_t size, int flush) {
  const uint8_t *next = bytes;
  do {
    uInt portion = size < BUFFER_SIZE ? (uInt)size : (uInt)BUFFER_SIZE;
    out->pack.next_in = next;
    out->pack.avail_in = portion;
    next += portion;
    size -= portion;
    do {
      uint8_t packed[4096];
      out->pack.next_out = packed;
      out->pack.avail_out = sizeof packed;
      deflate(&out->pack, size == 0 ? flush : Z_NO_FLUSH);
      if (!put_plain(out, packed, sizeof packed - out->pack.avail_out)) return false;
    } while (out->pack.avail_out == 0);
  } while (size > 0);
  return true;
}

bool mote_file_out_write(void *file, const void *bytes, size_t size) {
  mote_file_out *out = file;
  if (out->reason != 0) return false;
  return out->packed ? put_packed(out, bytes, size, Z_NO_FLUSH) : put_plain(out, bytes, size);
}

static mote_result refuse(mote_error *error, const char *path, int reason) {
  return mote_io_fail(error, MOTE_ERROR_FILE, path, "cannot be written: %s", strerror(reason));
}

static mote_result open_part(mote_file_out *out, mote_error *error) {
  struct stat there;
  bool exists = stat(out->path, &there) == 0;
  if (exists && S_ISDIR(there.st_mode)) return refuse(error, out->path, EISDIR);
  out->beside = !exists || S_ISREG(there.st_mode);
  out->file =
      open(out->beside ? out->part : out->path, O_WRONLY | O_CREAT | (out->beside ? O_TRUNC : 0), 0666);
  if (out->file < 0) return refuse(error, out->path, errno);
  if (exists && out->beside) (void)fchmod(out->file, there.st_mode & 0777);
  return MOTE_OK;
}

static mote_result begin_packing(mote_file_out *out, mote_error *error) {
  if (!out->packed) return MOTE_OK;
  if (deflateInit2(&out->pack, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK) return MOTE_OK;
  out->packed = false;
  return mote_io_fail_memory(error);
}

mote_result mote_file_out_begin(const char *path, bool durable, const mote_env *env, mote_file_out **out,
                                mote_error *error) {
  if (path == NULL || path[0] == 0 || out == NULL)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "the file name is empty");
  if (strlen(path) + sizeof ".part" > PATH_MOST) return refuse(error, path, ENAMETOOLONG);
  mote_env own = mote_io_env(env);
  mote_file_out *file = mote_io_new(&own, sizeof *file);
  if (file == NULL) return mote_io_fail_memory(error);
  file->env = own;
  file->durable = durable;
  file->file = -1;
  snprintf(file->path, PATH_MOST, "%s", path);
  snprintf(file->part, PATH_MOST, "%.*s.part", PATH_MOST - 6, path);
  mote_result result = open_part(file, error);
  file->packed = result == MOTE_OK && mote_io_ends(path, ".gz");
  if (result == MOTE_OK) result = begin_packing(file, error);
  if (result == MOTE_OK)
    *out = file;
  else
    mote_file_out_abandon(file);
  return result;
}

// So that the new name also survives a power failure. Not all systems can sync directories.
static void sync_directory(const char *path) {
  char directory[PATH_MOST];
  snprintf(directory, sizeof directory, "%s", path);
  char *slash = strrchr(directory, '/');
  if (slash == NULL)
    snprintf(directory, sizeof directory, ".");
  else
    slash[slash == directory] = 0;
  int file = open(directory, O_RDONLY);
  if (file < 0) return;
  (void)fsync(file);
  (void)close(file);
}

static void finish(mote_file_out *out) {
  if (out->packed && out->reason == 0) put_packed(out, out->buffer, 0, Z_FINISH);
  if (out->reason == 0) drain(out);
  if (out->reason == 0 && out->durable && out->beside && fsync(out->file) != 0) out->reason = errno;
  int closed = close(out->file);
  out->file = -1;
  if (closed != 0 && out->reason == 0) out->reason = errno;
  if (out->reason == 0 && out->beside && rename(out->part, out->path) != 0) out->reason = errno;
}

mote_result mote_file_out_commit(mote_file_out *file, mote_error *error) {
  if (file == NULL) return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "the file is null");
  finish(file);
  mote_result result = file->reason == 0 ? MOTE_OK : refuse(error, file->path, file->reason);
  if (result == MOTE_OK && file->beside) {
    if (file->durable) sync_directory(file->path);
    file->beside = false;
  }
  mote_file_out_abandon(file);
  return result;
}

void mote_file_out_abandon(mote_file_out *file) {
  if (file == NULL) return;
  bool opened = file->file >= 0 || file->reason != 0;
  if (file->file >= 0) (void)close(file->file);
  if (file->beside && opened) (void)unlink(file->part);
  if (file->packed) (void)deflateEnd(&file->pack);
  mote_env env = file->env;
  mote_io_delete(&env, file, sizeof *file);
}

mote_result mote_file_write(const char *path, const void *bytes, size_t size, mote_error *error) {
  mote_file_out *file;
  mote_result result = mote_file_out_begin(path, false, NULL, &file, error);
  if (result != MOTE_OK) return result;
  mote_file_out_write(file, bytes, size);
  return mote_file_out_commit(file, error);
}
