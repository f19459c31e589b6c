// Files: written beside and renamed, every failure told, nothing lost; read front to back and whole; gzip.
#define _XOPEN_SOURCE 700
#include "abuse.h"
#include "io/io_base.h"
#include "io_kit.h"

static mote_error error;

static bool holds(const char *path, const char *text) {
  char bytes[256] = {0};
  FILE *file = fopen(path, "rb");
  if (file == NULL) return false;
  size_t size = fread(bytes, 1, sizeof bytes - 1, file);
  fclose(file);
  return size == strlen(text) && strcmp(bytes, text) == 0;
}

static void test_commit(void) {
  mote_file_out *out;
  CHECK(mote_file_write("a", "old", 3, &error) == MOTE_OK && holds("a", "old"));
  for (int durable = 0; durable < 2; ++durable) {
    CHECK(mote_file_out_begin("a", durable, NULL, &out, &error) == MOTE_OK);
    CHECK(mote_file_out_write(out, "ne", 2) && mote_file_out_write(out, NULL, 0) &&
          mote_file_out_write(out, "w", 1));
    CHECK(kit_exists("a.part") && !holds("a", "new"));
    CHECK(mote_file_out_commit(out, &error) == MOTE_OK && holds("a", "new") && !kit_exists("a.part"));
    CHECK(mote_file_write("a", "old", 3, &error) == MOTE_OK);
  }
  CHECK(mote_file_out_begin("a", false, NULL, &out, &error) == MOTE_OK && mote_file_out_write(out, "x", 1));
  mote_file_out_abandon(out);
  CHECK(holds("a", "old") && !kit_exists("a.part"));
  mote_file_out_abandon(NULL);
}

// More than fits into the waiting room, in pieces of all sizes.
static void test_large(void) {
  static uint8_t bytes[300000];
  uint64_t state = 1;
  for (size_t k = 0; k < sizeof bytes; ++k) bytes[k] = (uint8_t)(kit_random(&state) >> (k % 3 == 0 ? 0 : 62));
  for (int packed = 0; packed < 2; ++packed) {
    const char *path = packed ? "large.gz" : "large";
    mote_file_out *out;
    CHECK(mote_file_out_begin(path, false, NULL, &out, &error) == MOTE_OK);
    for (size_t at = 0, size = 1; at < sizeof bytes; at += size, size = size * 3 % 70001 + 1) {
      if (size > sizeof bytes - at) size = sizeof bytes - at;
      CHECK(mote_file_out_write(out, bytes + at, size));
    }
    CHECK(mote_file_out_commit(out, &error) == MOTE_OK);
    mote_buffer back;
    mote_env env = mote_env_default();
    CHECK(mote_file_in_load(path, &env, &back, &error) == MOTE_OK);
    CHECK(back.size == sizeof bytes && memcmp(back.data, bytes, sizeof bytes) == 0);
    mote_buffer_free(&back);
  }
}

static void test_refused(void) {
  mote_file_out *out = NULL;
  char name[5000];
  memset(name, 'n', sizeof name);
  CHECK(mkdir("folder", 0777) == 0);
  REFUSED(mote_file_write("", "x", 1, &error), ARGUMENT, "empty");
  REFUSED(mote_file_write("none/a", "x", 1, &error), FILE, "No such file");
  CHECK_TEXT(error.file, "none/a");
  REFUSED(mote_file_write("folder", "x", 1, &error), FILE, "directory");
  REFUSED(mote_file_write("a/b", "x", 1, &error), FILE, "Not a directory");
  name[4999] = 0;
  REFUSED(mote_file_write(name, "x", 1, &error), FILE, "too long");
  name[300] = 0;
  REFUSED(mote_file_write(name, "x", 1, &error), FILE, "too long");
  CHECK(!kit_exists("folder.part"));
  // The folder goes while the file is on its way.
  CHECK(mkdir("gone", 0777) == 0 && mote_file_out_begin("gone/a", true, NULL, &out, &error) == MOTE_OK);
  CHECK(unlink("gone/a.part") == 0 && rmdir("gone") == 0 && mote_file_out_write(out, "x", 1));
  REFUSED(mote_file_out_commit(out, &error), FILE, "No such file");
  CHECK_TEXT(error.file, "gone/a");
}

// /dev/full refuses every byte, as a full disk does; it is written straight.
static void test_full(void) {
  mote_file_out *out;
  if (!kit_exists("/dev/full")) return;
  CHECK(mote_file_out_begin("/dev/full", false, NULL, &out, &error) == MOTE_OK);
  static const char bytes[200000];
  CHECK(!mote_file_out_write(out, bytes, sizeof bytes) && !mote_file_out_write(out, "x", 1));
  REFUSED(mote_file_out_commit(out, &error), FILE, "No space left");
  REFUSED(mote_file_write("/dev/full", "x", 1, &error), FILE, "No space left");
  CHECK(kit_exists("/dev/full") && !kit_exists("/dev/full.part"));
}

static void test_reading(void) {
  mote_file_in *in;
  mote_buffer bytes;
  char text[8] = {0};
  mote_env env = mote_env_default();
  CHECK(mote_file_in_open("a", NULL, &in, &error) == MOTE_OK && mote_file_in_size(in) == 3);
  CHECK(mote_file_in_read(in, text, 2) && strcmp(text, "ol") == 0 && !mote_file_in_read(in, text, 2));
  mote_file_in_close(in);
  REFUSED(mote_file_in_open("none", NULL, &in, &error), FILE, "No such file");
  REFUSED(mote_file_in_open("folder", NULL, &in, &error), FILE, "directory");
  REFUSED(mote_file_in_open("", NULL, &in, &error), ARGUMENT, "empty");
  REFUSED(mote_file_in_load("folder", &env, &bytes, &error), FILE, "directory");
  CHECK(mote_file_write("nothing", "", 0, &error) == MOTE_OK);
  REFUSED(mote_file_in_load("nothing", &env, &bytes, &error), FORMAT, "empty");
  CHECK(mote_file_write("bad.gz.not", "\x1f\x8b\x08 and no more", 15, &error) == MOTE_OK);
  REFUSED(mote_file_in_load("bad.gz.not", &env, &bytes, &error), FORMAT, "compressed");
}

static mote_result use(const mote_env *env) {
  mote_file_out *out;
  mote_file_in *in;
  mote_result result = mote_file_out_begin("m.gz", false, env, &out, &error);
  if (result == MOTE_OK) result = mote_file_out_commit(out, &error);
  if (result == MOTE_OK) result = mote_file_in_open("m.gz", env, &in, &error);
  if (result == MOTE_OK) mote_file_in_close(in);
  return result;
}

int main(void) {
  kit_enter();
  test_commit();
  test_large();
  test_refused();
  test_full();
  test_reading();
  abuse_exhaust("files", use, &error);
  return test_end();
}
