// What the tests of files share: a folder of their own, clouds of all types, comparison, texts as files.
#ifndef MOTE_IO_KIT_H
#define MOTE_IO_KIT_H

#include <math.h>
#include <mote/io.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/cloud.h"
#include "io/mesh_file.h"
#include "io/raw.h"
#include "test.h"

// A new folder, which becomes the working directory.
static inline void kit_enter(void) {
  char name[] = "/tmp/mote-io-XXXXXX";
  if (mkdtemp(name) == NULL || chdir(name) != 0) abort();
}

static inline bool kit_exists(const char *path) {
  return access(path, F_OK) == 0;
}

// Numbers with all kinds of bits.
static inline uint64_t kit_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state ^ *state >> 29;
}

typedef struct kit_cloud {
  mote_cloud cloud;
  double position[3 * 500], tensor[9 * 500];
  float velocity[3 * 500], density[500];
  uint64_t id[500];
  uint32_t body[500];
  uint8_t flag[500];
  int32_t layer[500];
} kit_cloud;

static inline void kit_add(kit_cloud *kit, const char *name, const char *unit, mote_type type, int components,
                           void *data) {
  kit->cloud.field[kit->cloud.fields++] =
      (mote_field_view){name, unit, type, components, kit->cloud.count, data};
}

// `wild`: numbers that are not finite as well.
static inline kit_cloud *kit_make(size_t count, bool wild) {
  kit_cloud *kit = calloc(1, sizeof *kit);
  uint64_t state = 7;
  if (kit == NULL || count > 500) abort();
  for (size_t k = 0; k < 3 * count; ++k) {
    kit->position[k] = (double)(kit_random(&state) >> 11) * 0x1p-50 - 3;
    kit->velocity[k] = (float)(kit_random(&state) >> 40) * 1e-3f - 8e3f;
  }
  for (size_t k = 0; k < 9 * count; ++k) kit->tensor[k] = (double)(int64_t)kit_random(&state) * 1e-30;
  for (size_t k = 0; k < count; ++k) {
    kit->density[k] = 1000 + (float)k / 7;
    kit->id[k] = kit_random(&state) >> 33;
    kit->body[k] = (uint32_t)(kit_random(&state) >> 33);
    kit->flag[k] = (uint8_t)kit_random(&state);
    kit->layer[k] = (int32_t)kit_random(&state);
  }
  if (wild && count > 3) {
    kit->density[0] = NAN;
    kit->density[1] = INFINITY;
    kit->density[2] = -0.0f;
    kit->density[3] = 1e-45f;
    kit->position[0] = (double)-INFINITY;
  }
  kit->cloud = (mote_cloud){.count = count};
  kit_add(kit, "id", "", MOTE_TYPE_U64, 1, kit->id);
  kit_add(kit, "position", "m", MOTE_TYPE_F64, 3, kit->position);
  kit_add(kit, "velocity", "m/s", MOTE_TYPE_F32, 3, kit->velocity);
  kit_add(kit, "density", "kg/m^3", MOTE_TYPE_F32, 1, kit->density);
  kit_add(kit, "stress", "Pa", MOTE_TYPE_F64, 9, kit->tensor);
  kit_add(kit, "body", "", MOTE_TYPE_U32, 1, kit->body);
  kit_add(kit, "flag", "", MOTE_TYPE_U8, 1, kit->flag);
  kit_add(kit, "layer", "", MOTE_TYPE_I32, 1, kit->layer);
  kit->cloud.stamp = (mote_stamp){"0.1.0", 0xc0ffee00c0ffee11u, 0.1, 123456789, 0.025, 1.0625};
  return kit;
}

// Bit for bit, but that all NaNs are one: texts do not tell them apart.
static inline bool kit_same_value(const mote_field_view *a, const mote_field_view *b, size_t k) {
  size_t size = mote_type_size(a->type);
  const char *x = (const char *)a->data + k * size, *y = (const char *)b->data + k * size;
  if (memcmp(x, y, size) == 0) return true;
  size_t row = k / (size_t)a->components;
  int c = (int)(k % (size_t)a->components);
  return isnan(mote_field_value(a, row, c)) && isnan(mote_field_value(b, row, c));
}

static inline bool kit_same_field(const mote_field_view *a, const mote_field_view *b) {
  if (a == NULL || b == NULL || a->type != b->type || a->components != b->components || a->count != b->count)
    return false;
  for (size_t k = 0; k < a->count * (size_t)a->components; ++k)
    if (!kit_same_value(a, b, k)) return false;
  return true;
}

// A text as a file of this name.
static inline mote_result kit_parse(const char *name, const char *text, size_t size, mote_cloud *out,
                                    mote_error *error) {
  mote_env env = mote_env_default();
  mote_file_content source = {(const uint8_t *)text, size, name, &env};
  *error = (mote_error){0};
  return mote_cloud_parse(&source, out, error);
}

static inline mote_result kit_parse_mesh(const char *name, const char *text, size_t size, mote_mesh *out,
                                         mote_error *error) {
  mote_env env = mote_env_default();
  mote_file_content source = {(const uint8_t *)text, size, name, &env};
  *error = (mote_error){0};
  return mote_mesh_parse(&source, out, error);
}

// Whether the text is refused at this line and column with this word.
static inline bool kit_refused(mote_result result, const mote_error *error, int line, int column,
                               const char *word) {
  bool ok = result == MOTE_ERROR_FORMAT && error->line == line && error->column == column &&
            strstr(error->text, word) != NULL;
  if (!ok)
    fprintf(stderr, "  %s %s:%d:%d \"%s\", wanted %d:%d \"%s\"\n", mote_result_name(result), error->file,
            error->line, error->column, error->text, line, column, word);
  return ok;
}

#endif
