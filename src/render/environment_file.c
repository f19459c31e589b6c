// Radiance pictures (.hdr): a header of lines, then rows of four bytes a pixel, red, green and blue with one
// exponent (Ward, Real Pixels, Graphics Gems II, 1991). Rows are plain, or run-length encoded: by pixels (old
// format, a pixel 1 1 1 n repeats the previous one) or for each of the four bytes separately (new format).
#include <mote/text.h>
#include <stdio.h>
#include <string.h>

#include "io/io_base.h"
#include "render/environment.h"
#include "render/tuning.inc"

#define SIDE_MAX 32768                // pixels
#define PIXELS_MAX ((size_t)1 << 26)  // 8192 x 4096 is half of it
#define LIGHT_MAX 1e12F               // range: the sun has 2e7 W/m^2/sr

typedef struct reader {
  const mote_file_content *source;
  size_t at;  // bytes
  double exposure;
  int wide, tall;
  uint8_t *row;  // 4 of each pixel
  mote_error *error;
} reader;

#define FAIL(r, ...) mote_io_fail((r)->error, MOTE_ERROR_FORMAT, (r)->source->path, __VA_ARGS__)

// --- Header --------------------------------------------------------------------------------------------

// The next line without its end; false: there is none, or it is too long.
static bool next_line(reader *r, char *out, size_t capacity) {
  const uint8_t *from = r->source->data + r->at;
  size_t left = r->source->size - r->at;
  const uint8_t *end = left > 0 ? memchr(from, '\n', left) : NULL;
  size_t length = end != NULL ? (size_t)(end - from) : 0;
  if (end == NULL || length >= capacity) return false;
  memcpy(out, from, length);
  out[length] = '\0';
  if (length > 0 && out[length - 1] == '\r') out[length - 1] = '\0';
  r->at += length + 1;
  return true;
}

static mote_result read_variable(reader *r, const char *line) {
  double exposure = 0;
  if (strncmp(line, "FORMAT=", 7) == 0 && strcmp(line + 7, "32-bit_rle_rgbe") != 0)
    return FAIL(r, "its format is \"%.40s\"; 32-bit_rle_rgbe is read", line + 7);
  if (strncmp(line, "EXPOSURE=", 9) != 0) return MOTE_OK;
  const char *text = line + 9 + strspn(line + 9, " ");
  mote_text_scan scan = mote_text_read_double(text, strlen(text), MOTE_TEXT_FINITE, &exposure);
  if (scan.length == 0 || scan.overflow || !(exposure > 0))
    return FAIL(r, "its exposure is \"%.40s\"; it must be a positive number", text);
  r->exposure *= exposure;
  return MOTE_OK;
}

static mote_result read_size(reader *r, const char *line) {
  int used = 0;
  if (sscanf(line, "-Y %6d +X %6d%n", &r->tall, &r->wide, &used) != 2 || line[used] != '\0')
    return FAIL(r, "its size is \"%.40s\"; rows from top to bottom are read, as in -Y 512 +X 1024", line);
  if (r->wide < 1 || r->tall < 1) return FAIL(r, "it has no pixels: %d x %d", r->wide, r->tall);
  if (r->wide > SIDE_MAX || r->tall > SIDE_MAX || (size_t)r->wide * (size_t)r->tall > PIXELS_MAX)
    return FAIL(r, "%d x %d pixels are more than %zu million", r->wide, r->tall, PIXELS_MAX >> 20);
  if (r->wide != 2 * r->tall)
    return FAIL(r,
                "%d x %d pixels; an environment is twice as wide as high (all directions, by longitude and "
                "latitude)",
                r->wide, r->tall);
  return MOTE_OK;
}

static mote_result read_header(reader *r) {
  char line[1024];
  if (r->source->size < 2 || memcmp(r->source->data, "#?", 2) != 0)
    return FAIL(r, "no Radiance picture: it does not begin with #?");
  while (next_line(r, line, sizeof line)) {
    if (line[0] != '\0') {
      MOTE_IO_TRY(read_variable(r, line));
      continue;
    }
    if (!next_line(r, line, sizeof line)) break;
    return read_size(r, line);
  }
  return FAIL(r, "the header has no end");
}

// --- Rows ----------------------------------------------------------------------------------------------

static mote_result fail_short(const reader *r, int y) {
  return FAIL(r, "it ends in row %d of %d", y + 1, r->tall);
}

// One of the four bytes of all pixels: runs of one value (128 and the length), and lengths of plain values.
static mote_result unpack_byte(reader *r, int y, int which) {
  const uint8_t *data = r->source->data;
  for (int x = 0; x < r->wide;) {
    if (r->at + 2 > r->source->size) return fail_short(r, y);
    int length = data[r->at++];
    bool run = length > 128;
    if (run) length -= 128;
    if (length == 0 || length > r->wide - x)
      return FAIL(r, "row %d of %d has a run of %d values with room for %d", y + 1, r->tall, length,
                  r->wide - x);
    if (r->at + (run ? 1 : (size_t)length) > r->source->size) return fail_short(r, y);
    for (int k = 0; k < length; ++k) r->row[4 * (x + k) + which] = data[r->at + (run ? 0 : (size_t)k)];
    r->at += run ? 1 : (size_t)length;
    x += length;
  }
  return MOTE_OK;
}

// Pixels one by one; 1 1 1 n: n more of the last one, times 256 for each such pixel directly before.
static mote_result unpack_pixels(reader *r, int y) {
  int shift = 0;
  for (int x = 0; x < r->wide;) {
    if (r->at + 4 > r->source->size) return fail_short(r, y);
    const uint8_t *p = r->source->data + r->at;
    r->at += 4;
    if (p[0] != 1 || p[1] != 1 || p[2] != 1) {
      memcpy(r->row + 4 * x++, p, 4);
      shift = 0;
      continue;
    }
    int length = shift < 16 ? p[3] << shift : SIDE_MAX + 1;
    if (x == 0 || length > r->wide - x)
      return FAIL(r, "row %d of %d has a run of %d pixels with room for %d", y + 1, r->tall, length,
                  x == 0 ? 0 : r->wide - x);
    for (int k = 0; k < length; ++k, ++x) memcpy(r->row + 4 * x, r->row + 4 * (x - 1), 4);
    shift += 8;
  }
  return MOTE_OK;
}

static mote_result unpack_row(reader *r, int y) {
  const uint8_t *p = r->source->data + r->at;
  bool apart = r->source->size - r->at >= 4 && r->wide >= 8 && r->wide < SIDE_MAX && p[0] == 2 && p[1] == 2 &&
               (p[2] << 8 | p[3]) == r->wide;
  if (!apart) return unpack_pixels(r, y);
  r->at += 4;
  for (int which = 0; which < 4; ++which) MOTE_IO_TRY(unpack_byte(r, y, which));
  return MOTE_OK;
}

static mote_result add_row(reader *r, int y, mote_buffer *light) {
  float *out = mote_buffer_grow(light, 3 * (size_t)r->wide * sizeof *out);
  if (out == NULL) return mote_io_fail_memory(r->error);
  for (int x = 0; x < r->wide; ++x)
    for (int k = 0; k < 3; ++k) {
      const uint8_t *p = r->row + 4 * x;
      float value = p[3] == 0 ? 0 : (float)(ldexp(p[k], p[3] - 136) / r->exposure);
      if (!(value <= LIGHT_MAX))
        return FAIL(r, "the light of pixel %d in row %d is %.3g, which no light is", x + 1, y + 1,
                    (double)value);
      out[3 * x + k] = value;
    }
  return MOTE_OK;
}

// Memory grows with the rows read, independent of the header.
static mote_result read_rows(reader *r, mote_buffer *light) {
  for (int y = 0; y < r->tall; ++y) {
    MOTE_IO_TRY(unpack_row(r, y));
    MOTE_IO_TRY(add_row(r, y, light));
  }
  return mote_buffer_trim(light) ? MOTE_OK : mote_io_fail_memory(r->error);
}

mote_result mote_environment_parse(const mote_file_content *source, mote_environment *out,
                                   mote_error *error) {
  reader r = {.source = source, .exposure = 1, .error = error};
  MOTE_IO_TRY(read_header(&r));
  mote_buffer light = mote_buffer_make(source->env);
  size_t row = 4 * (size_t)r.wide;
  r.row = mote_io_new(source->env, row);
  mote_result result = r.row != NULL ? read_rows(&r, &light) : mote_io_fail_memory(error);
  if (r.row != NULL) mote_io_delete(source->env, r.row, row);
  if (result != MOTE_OK)
    mote_buffer_free(&light);
  else
    *out = (mote_environment){r.wide, r.tall, (float *)(void *)light.data};
  return result;
}

mote_result mote_environment_read(const char *path, const mote_env *env, mote_environment *out,
                                  mote_error *error) {
  if (path == NULL || out == NULL)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "path or out is null");
  mote_env own = mote_io_env(env);
  mote_buffer bytes;
  MOTE_IO_TRY(mote_file_in_load(path, &own, &bytes, error));
  mote_file_content source = {bytes.data, bytes.size, path, &own};
  mote_result result = mote_environment_parse(&source, out, error);
  mote_buffer_free(&bytes);
  return result;
}

void mote_environment_free(mote_environment *environment, const mote_env *env) {
  mote_env own = mote_io_env(env);
  size_t pixels = (size_t)environment->width * (size_t)environment->height;
  if (environment->light != NULL)
    mote_io_delete(&own, environment->light, 3 * pixels * sizeof *environment->light);
  *environment = (mote_environment){0};
}
