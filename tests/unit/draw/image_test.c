// Images: limits, pixels, texts, PNG there and back, damaged files, full disks, short memory.
#define _XOPEN_SOURCE 700
#include "draw/image.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"

static char folder[64] = "/tmp/mote-image-XXXXXX";

static const char *path_of(const char *name) {
  static char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static bool same_colour(mote_colour a, mote_colour b) {
  return a.red == b.red && a.green == b.green && a.blue == b.blue && a.alpha == b.alpha;
}

static void sizes_have_limits(void) {
  static const int bad[][2] = {{0, 5}, {5, 0}, {-1, 5}, {MOTE_IMAGE_SIDE_MAX + 1, 1}, {32768, 32768}};
  mote_error error;
  for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
    mote_image *image = (mote_image *)folder;
    CHECK(mote_image_create(bad[k][0], bad[k][1], NULL, &image, &error) == MOTE_ERROR_ARGUMENT);
    CHECK(image == (mote_image *)folder && strstr(error.text, "pixels") != NULL);
  }
  CHECK(mote_image_create(3, 3, NULL, NULL, NULL) == MOTE_ERROR_ARGUMENT);
  mote_image_destroy(NULL);
}

static void pixels_are_where_they_were_set(void) {
  mote_image *image = NULL;
  CHECK(mote_image_create(7, 3, NULL, &image, NULL) == MOTE_OK);
  CHECK(mote_image_width(image) == 7 && mote_image_height(image) == 3);
  CHECK(same_colour(mote_image_get(image, 6, 2), (mote_colour){0, 0, 0, 0}));
  mote_image_fill(image, (mote_colour){1, 2, 3, 4});
  mote_image_set(image, 5, 1, (mote_colour){9, 8, 7, 6});
  mote_image_set(image, 7, 1, (mote_colour){99, 99, 99, 99});
  mote_image_set(image, -1, 0, (mote_colour){99, 99, 99, 99});
  int others = 0;
  for (int k = 0; k < 21; ++k) others += memcmp(mote_image_pixels(image) + 4 * k, "\1\2\3\4", 4) == 0;
  CHECK(others == 20);
  CHECK(memcmp(mote_image_pixels(image) + 4 * (7 + 5), "\11\10\7\6", 4) == 0);
  CHECK(same_colour(mote_image_get(image, 0, 3), (mote_colour){0, 0, 0, 0}));
  mote_image_destroy(image);
}

static mote_image *pattern(int width, int height, bool opaque) {
  mote_image *image = NULL;
  if (mote_image_create(width, height, NULL, &image, NULL) != MOTE_OK) return NULL;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      mote_image_set(image, x, y,
                     (mote_colour){(uint8_t)(x * 7), (uint8_t)(y * 5), (uint8_t)(x * y),
                                   opaque ? 255 : (uint8_t)(x + y)});
  return image;
}

static void png_keeps_everything(void) {
  for (int opaque = 0; opaque < 2; ++opaque) {
    mote_image *image = pattern(61, 47, opaque != 0), *back = NULL;
    const char *path = path_of("pattern.png");
    CHECK(mote_image_set_text(image, "Title", "first", NULL) == MOTE_OK);
    CHECK(mote_image_set_text(image, "Title", "Density ρ < 5 & so on", NULL) == MOTE_OK);
    CHECK(mote_image_write(image, path, NULL) == MOTE_OK);
    CHECK(mote_image_read(path, NULL, &back, NULL) == MOTE_OK);
    CHECK(mote_image_width(back) == 61 && mote_image_height(back) == 47);
    CHECK(memcmp(mote_image_pixels(image), mote_image_pixels(back), mote_image_bytes(image)) == 0);
    CHECK_TEXT(mote_image_text(back, "Title"), "Density ρ < 5 & so on");
    CHECK(strncmp(mote_image_text(back, "Software"), "Mote ", 5) == 0);
    CHECK(mote_image_text(back, "Author") == NULL && mote_image_text(image, "Software") == NULL);
    // The colour type: 2 without alpha, 6 with.
    FILE *file = fopen(path, "rb");
    char head[26] = {0};
    CHECK(fread(head, 1, sizeof head, file) == sizeof head && head[25] == (opaque ? 2 : 6));
    fclose(file);
    CHECK(access(path_of("pattern.png.part"), F_OK) != 0);
    mote_image_destroy(image);
    mote_image_destroy(back);
  }
}

static void keys_are_checked(void) {
  mote_image *image = pattern(2, 2, true);
  char long_key[82];
  memset(long_key, 'k', 81);
  long_key[81] = 0;
  CHECK(mote_image_set_text(image, "", "x", NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_image_set_text(image, " a", "x", NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_image_set_text(image, "a\n", "x", NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_image_set_text(image, long_key, "x", NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_image_set_text(image, "a", NULL, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_image_text(image, "a") == NULL);
  mote_image_destroy(image);
}

static void the_outside_may_refuse(void) {
  mote_image *image = pattern(200, 200, false), *back = NULL;
  mote_error error;
  CHECK(mote_image_write(image, "/nowhere/at/all.png", &error) == MOTE_ERROR_FILE);
  CHECK_TEXT(error.file, "/nowhere/at/all.png");
  CHECK(strstr(error.text, "No such file") != NULL);
  CHECK(mote_image_write(image, "", &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_image_read(path_of("missing.png"), NULL, &back, &error) == MOTE_ERROR_FILE && back == NULL);
  CHECK(mote_image_read(folder, NULL, &back, &error) != MOTE_OK && back == NULL);
  // A folder in the way of the final name.
  const char *path = path_of("taken.png");
  CHECK(mkdir(path, 0700) == 0);
  CHECK(mote_image_write(image, path, &error) == MOTE_ERROR_FILE);
  CHECK(access(path_of("taken.png.part"), F_OK) != 0);
  mote_image_destroy(image);
}

// A limit on the size of files stands for a full disk: the write is short.
static void a_full_disk_leaves_the_old_file(void) {
  mote_image *image = pattern(300, 300, false), *small = pattern(2, 2, true), *back = NULL;
  mote_error error;
  struct rlimit before, limit;
  const char *path = path_of("full.png");
  CHECK(mote_image_write(small, path, NULL) == MOTE_OK);
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &before);
  limit = before;
  limit.rlim_cur = 4096;
  setrlimit(RLIMIT_FSIZE, &limit);
  CHECK(mote_image_write(image, path, &error) == MOTE_ERROR_FILE);
  setrlimit(RLIMIT_FSIZE, &before);
  CHECK(strstr(error.text, "cannot be written") != NULL);
  CHECK(mote_image_read(path_of("full.png"), NULL, &back, NULL) == MOTE_OK && mote_image_width(back) == 2);
  CHECK(access(path_of("full.png.part"), F_OK) != 0);
  mote_image_destroy(image);
  mote_image_destroy(small);
  mote_image_destroy(back);
}

static void write_bytes(const char *path, const uint8_t *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  fwrite(bytes, 1, size, file);
  fclose(file);
}

// Cut short, or with a byte changed: an error or an image, and never a half of either.
static void damaged_files_are_refused(void) {
  mote_image *image = pattern(9, 8, false);
  mote_env env = mote_env_default();
  mote_buffer png = mote_buffer_make(&env);
  CHECK(mote_png_encode(image, &png, NULL) == MOTE_OK);
  const char *path = path_of("damaged.png");
  int refused = 0, tried = 0;
  for (size_t k = 0; k < png.size; k += k < 40 ? 1 : 5, ++tried) {
    mote_image *back = NULL;
    mote_error error;
    write_bytes(path, png.data, k);
    mote_result result = mote_image_read(path, NULL, &back, &error);
    // Behind the pixels only the end mark is missing, which libpng may forgive.
    CHECK(result == MOTE_ERROR_FORMAT ? back == NULL : k > png.size - 16 && back != NULL);
    refused += result != MOTE_OK;
    mote_image_destroy(back);
    png.data[k] ^= 0x55;
    write_bytes(path, png.data, png.size);
    png.data[k] ^= 0x55;
    back = NULL;
    result = mote_image_read(path, NULL, &back, &error);
    CHECK((result == MOTE_OK) == (back != NULL));
    if (k < 8) CHECK(result == MOTE_ERROR_FORMAT);
    mote_image_destroy(back);
  }
  CHECK(refused > tried - 5);
  mote_buffer_free(&png);
  mote_image_destroy(image);
}

// Refuses after `left` calls that ask for memory; counts blocks that are out.
typedef struct stingy {
  int left, out;
} stingy;

static void *stingy_resize(void *user, void *block, size_t old_size, size_t size) {
  stingy *s = user;
  if (size == 0) {
    s->out -= block != NULL;
    free(block);
    return NULL;
  }
  if (s->left-- <= 0) return NULL;
  s->out += old_size == 0;
  return realloc(block, size);
}

static void short_memory_is_told(void) {
  mote_image *source = pattern(20, 20, false);
  mote_image_set_text(source, "Title", "a", NULL);
  char path[128];
  snprintf(path, sizeof path, "%s", path_of("memory.png"));
  CHECK(mote_image_write(source, path, NULL) == MOTE_OK);
  mote_image_destroy(source);
  bool done = false;
  for (int calls = 0; calls < 100 && !done; ++calls) {
    stingy s = {.left = calls};
    mote_env env = mote_env_default();
    env.resize = stingy_resize;
    env.resize_user = &s;
    mote_image *image = NULL;
    mote_result result = mote_image_read(path, &env, &image, NULL);
    if (result == MOTE_OK) result = mote_image_write(image, path_of("memory2.png"), NULL);
    CHECK(result == MOTE_OK || result == MOTE_ERROR_MEMORY);
    done = result == MOTE_OK;
    mote_image_destroy(image);
    CHECK(s.out == 0);
  }
  CHECK(done);
}

int main(void) {
  if (mkdtemp(folder) == NULL) return 1;
  sizes_have_limits();
  pixels_are_where_they_were_set();
  png_keeps_everything();
  keys_are_checked();
  the_outside_may_refuse();
  a_full_disk_leaves_the_old_file();
  damaged_files_are_refused();
  short_memory_is_told();
  char command[96];
  snprintf(command, sizeof command, "rm -r %s", folder);
  CHECK(system(command) == 0);
  return test_end();
}
