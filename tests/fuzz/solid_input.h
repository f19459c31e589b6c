// A small mesh made of the bytes of a fuzzer: a header, then vertices on a coarse grid, so that they coincide
// and triangles touch, cross and lie in one plane, then triangles.
#ifndef MOTE_SOLID_INPUT_H
#define MOTE_SOLID_INPUT_H

#include <mote/geom.h>

enum { INPUT_VERTICES_MAX = 60, INPUT_TRIANGLES_MAX = 120, INPUT_SIDE = 7 };

typedef struct input_bytes {
  const uint8_t *data;
  size_t size;
} input_bytes;

static inline uint8_t take_byte(input_bytes *in) {
  if (in->size == 0) return 0;
  --in->size;
  return *in->data++;
}

// The mesh is valid until the next call.
static inline mote_mesh solid_input(const uint8_t *data, size_t size, uint8_t *header, size_t header_size) {
  static double vertex[3 * INPUT_VERTICES_MAX];
  static uint32_t triangle[3 * INPUT_TRIANGLES_MAX];
  mote_mesh mesh = {.vertex = vertex, .triangle = triangle};
  input_bytes in = {data, size};
  for (size_t k = 0; k < header_size; ++k) header[k] = take_byte(&in);
  mesh.vertices = 1 + take_byte(&in) % INPUT_VERTICES_MAX;
  for (size_t k = 0; k < 3 * mesh.vertices; ++k) {
    uint8_t byte = take_byte(&in);  // 0 to INPUT_SIDE, or beside that by a rounding
    vertex[k] = (byte & INPUT_SIDE) + (byte >> 6 == 1 ? 1e-12 : byte >> 6 == 2 ? 1e-7 : 0.0);
  }
  for (; in.size >= 3 && mesh.triangles < INPUT_TRIANGLES_MAX; ++mesh.triangles)
    for (size_t k = 0; k < 3; ++k)
      triangle[3 * mesh.triangles + k] = take_byte(&in) % (uint32_t)mesh.vertices;
  return mesh;
}

#endif
