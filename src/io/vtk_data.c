// The values of one array of a VTK XML file: see vtk_data.h.
#include "io/vtk_data.h"

#include <string.h>
#include <zlib.h>

#include "io/base64.h"

enum { PACKED_MOST = 1040 };  // zlib makes at most this many bytes of one

// Raw bytes, or their base64 letters.
typedef struct stream {
  bool encoded;
  mote_word raw;
  mote_base64_reader letters;
} stream;

static size_t stream_left(const stream *s) {
  return s->encoded ? (s->letters.size - s->letters.at) / 4 * 3 + 3 : s->raw.size;
}

static bool stream_read(stream *s, void *to, size_t size) {
  if (s->encoded) return mote_base64_read(&s->letters, to, size) == size;
  if (s->raw.size < size) return false;
  if (size > 0) memcpy(to, s->raw.text, size);
  s->raw.text += size;
  s->raw.size -= size;
  return true;
}

static stream open_stream(const mote_vtk_coding *coding, const mote_vtk_values *values) {
  mote_word text = values->text;
  if (values->place == MOTE_VTK_APPENDED) {
    text = coding->appended;
    uint64_t offset = values->offset < text.size ? values->offset : text.size;
    text.text += offset;
    text.size -= (size_t)offset;
  }
  stream s = {.encoded = values->place == MOTE_VTK_INLINE || coding->encoded, .raw = text};
  s.letters = (mote_base64_reader){.text = text.text, .size = text.size};
  return s;
}

static mote_result fail(const mote_vtk_values *values, mote_error *error, const char *what) {
  return mote_scan_fail(&values->at, error, "array \"%s\": %s", values->name, what);
}

static bool read_head(stream *s, const mote_vtk_coding *coding, uint64_t *value) {
  uint8_t bytes[8];
  if (!stream_read(s, bytes, coding->wide ? 8 : 4)) return false;
  uint32_t narrow;
  mote_raw_take(coding->wide ? MOTE_RAW_U64 : MOTE_RAW_U32, coding->big, bytes, 8, 1,
                coding->wide ? (void *)value : &narrow, 8);
  if (!coding->wide) *value = narrow;
  return true;
}

static uint64_t bytes_of(const mote_vtk_values *values, uint64_t rows) {
  return rows * (uint64_t)values->components * mote_raw_size(values->raw);
}

mote_result mote_vtk_check_size(const mote_vtk_coding *coding, const mote_vtk_values *values, uint64_t rows,
                                mote_error *error) {
  if (rows > (uint64_t)1 << 40) return fail(values, error, "more rows than the file can hold");
  stream s = open_stream(coding, values);
  uint64_t numbers = rows * (uint64_t)values->components;
  bool fits = values->place == MOTE_VTK_ASCII
                  ? numbers <= values->text.size / 2 + 1
                  : bytes_of(values, rows) <= (uint64_t)stream_left(&s) * (coding->packed ? PACKED_MOST : 1);
  return fits ? MOTE_OK : fail(values, error, "cut short: too small for its values");
}

static mote_result decode_ascii(const mote_vtk_values *values, size_t rows, uint8_t *to, mote_error *error) {
  mote_scan scan = values->at;
  scan.at = (size_t)(values->text.text - scan.text);
  scan.size = scan.at + values->text.size;
  size_t size = mote_type_size(mote_raw_type(values->raw));
  for (size_t k = 0; k < rows * (size_t)values->components; ++k)
    MOTE_IO_TRY(mote_scan_raw(&scan, values->raw, to + k * size, error));
  return MOTE_OK;
}

// One compressed block of `size` bytes, which becomes `plain` bytes at `to`.
static bool unpack_block(stream *s, uint64_t size, uint8_t *to, uint64_t plain, const mote_env *env,
                         bool *memory) {
  if (size > stream_left(s) || size == 0) return false;
  uint8_t *packed = mote_io_new(env, (size_t)size);
  *memory = packed != NULL;
  if (packed == NULL) return false;
  uLongf length = (uLongf)plain;
  bool good = stream_read(s, packed, (size_t)size) && uncompress(to, &length, packed, (uLong)size) == Z_OK &&
              length == plain;
  mote_io_delete(env, packed, (size_t)size);
  return good;
}

// Head: blocks, bytes of a block, bytes of the last one (0: as the others), and the compressed size of each.
static mote_result unpack(const mote_vtk_coding *coding, const mote_vtk_values *values, stream *s,
                          uint8_t *to, uint64_t need, mote_error *error) {
  uint64_t blocks, plain, last, done = 0;
  const mote_env *env = coding->source->env;
  bool memory = true;
  if (!read_head(s, coding, &blocks)) return fail(values, error, "cut short");
  if (blocks == 0) return need == 0 ? MOTE_OK : fail(values, error, "has too few values");
  if (!read_head(s, coding, &plain) || !read_head(s, coding, &last) || blocks > stream_left(s))
    return fail(values, error, "cut short");
  size_t bytes = (size_t)blocks * sizeof(uint64_t);
  uint64_t *size = mote_io_new(env, bytes);
  if (size == NULL) return mote_io_fail_memory(error);
  bool good = true;
  for (uint64_t k = 0; k < blocks && good; ++k) good = read_head(s, coding, &size[k]);
  for (uint64_t k = 0; k < blocks && good && done < need; ++k) {
    uint64_t now = k + 1 == blocks && last > 0 ? last : plain;
    good = now > 0 && now <= need - done && unpack_block(s, size[k], to + done, now, env, &memory);
    done += good ? now : 0;
  }
  mote_io_delete(env, size, bytes);
  if (!memory) return mote_io_fail_memory(error);
  return good && done == need ? MOTE_OK : fail(values, error, "its compressed values are damaged");
}

static mote_result read_plain(const mote_vtk_coding *coding, const mote_vtk_values *values, stream *s,
                              uint8_t *to, uint64_t need, mote_error *error) {
  uint64_t bytes;
  if (!read_head(s, coding, &bytes)) return need == 0 ? MOTE_OK : fail(values, error, "cut short");
  if (bytes < need) return fail(values, error, "has too few values");
  return stream_read(s, to, (size_t)need) ? MOTE_OK : fail(values, error, "cut short");
}

mote_result mote_vtk_decode(const mote_vtk_coding *coding, const mote_vtk_values *values, size_t rows,
                            void *to, mote_error *error) {
  if (values->place == MOTE_VTK_ASCII) return decode_ascii(values, rows, to, error);
  stream s = open_stream(coding, values);
  uint64_t need = bytes_of(values, rows);
  const mote_env *env = coding->source->env;
  uint8_t *bytes = mote_io_new(env, (size_t)need);
  if (bytes == NULL) return mote_io_fail_memory(error);
  mote_result result = coding->packed ? unpack(coding, values, &s, bytes, need, error)
                                      : read_plain(coding, values, &s, bytes, need, error);
  if (result == MOTE_OK)
    mote_raw_take(values->raw, coding->big, bytes, mote_raw_size(values->raw),
                  rows * (size_t)values->components, to, mote_type_size(mote_raw_type(values->raw)));
  mote_io_delete(env, bytes, (size_t)need);
  return result;
}
