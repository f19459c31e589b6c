// BGEO of others: the bytes as partio lays them out, attributes of all kinds, primitives behind; what is
// malformed.
#define _XOPEN_SOURCE 700
#include "io_kit.h"

static mote_error error;

typedef struct bytes {
  uint8_t data[1024];
  size_t size;
} bytes;

static void put(bytes *b, uint32_t value, int size) {
  for (int k = size - 1; k >= 0; --k) b->data[b->size++] = (uint8_t)(value >> 8 * k);
}

static void put_text(bytes *b, const char *text) {
  put(b, (uint32_t)strlen(text), 2);
  for (; *text != 0; ++text) put(b, (uint32_t)*text, 1);
}

static void put_float(bytes *b, float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  put(b, bits, 4);
}

// Two points with v (vector), id (int), name (index of texts) and pscale (float); one primitive.
static bytes make(uint32_t version, uint32_t points, uint32_t primitives) {
  bytes b = {.data = "BgeoV", .size = 5};
  uint32_t head[9] = {version, points, primitives, 0, 0, 4, 0, 0, 1};
  for (int k = 0; k < 9; ++k) put(&b, head[k], 4);
  put_text(&b, "v");
  put(&b, 3, 2);
  put(&b, 5, 4);
  for (int k = 0; k < 3; ++k) put(&b, 0, 4);
  put_text(&b, "id");
  put(&b, 1, 2);
  put(&b, 1, 4);
  put(&b, 0, 4);
  put_text(&b, "name");
  put(&b, 1, 2);
  put(&b, 4, 4);
  put(&b, 2, 4);
  put_text(&b, "first");
  put_text(&b, "second");
  put_text(&b, "pscale");
  put(&b, 1, 2);
  put(&b, 0, 4);
  put(&b, 0, 4);
  for (int row = 0; row < 2; ++row) {
    for (int c = 0; c < 3; ++c) put_float(&b, (float)(10 * row + c));
    put_float(&b, 1);
    for (int c = 0; c < 3; ++c) put_float(&b, -(float)c);
    put(&b, (uint32_t)(row - 1), 4);
    put(&b, (uint32_t)row, 4);
    put_float(&b, 0.5f);
  }
  if (primitives > 0) {
    put(&b, 0x8000, 4);
    put(&b, 2, 4);
    put(&b, 0, 2);
    put(&b, 1, 2);
  }
  put_text(&b, "time");
  put(&b, 1, 2);
  put(&b, 0, 4);
  put(&b, 0, 4);
  put_float(&b, 0.25f);
  put(&b, 0x00ff, 2);
  return b;
}

static mote_result parse(const bytes *b, size_t size, mote_cloud *cloud) {
  return kit_parse("a.bgeo", (const char *)b->data, size, cloud, &error);
}

static void test_reading(void) {
  for (uint32_t primitives = 0; primitives < 2; ++primitives) {
    bytes b = make(5, 2, primitives);
    mote_cloud cloud;
    if (!CHECK(parse(&b, b.size, &cloud) == MOTE_OK)) continue;
    CHECK(cloud.count == 2 && cloud.fields == 5);
    CHECK(mote_field_value(mote_cloud_find(&cloud, "position"), 1, 2) == 12);
    CHECK(mote_field_value(mote_cloud_find(&cloud, "velocity"), 1, 2) == -2);
    CHECK(mote_field_value(mote_cloud_find(&cloud, "id"), 0, 0) == -1);
    CHECK(mote_field_value(mote_cloud_find(&cloud, "name"), 1, 0) == 1);
    CHECK(mote_field_value(mote_cloud_find(&cloud, "pscale"), 1, 0) == 0.5);
    CHECK(primitives > 0 ? isnan(cloud.stamp.time) : cloud.stamp.time == 0.25);
    mote_cloud_free(&cloud, NULL);
  }
}

// A quad and an open line in a run, with attributes of vertices and primitives, and a triangle alone.
static bytes make_polygons(uint32_t kind) {
  bytes b = {.data = "BgeoV", .size = 5};
  uint32_t head[9] = {5, 4, 3, 0, 0, 0, 1, 1, 0};
  static const float square[4][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};
  for (int k = 0; k < 9; ++k) put(&b, head[k], 4);
  for (int k = 0; k < 4; ++k) {
    put_float(&b, square[k][0]), put_float(&b, square[k][1]);
    put_float(&b, 0), put_float(&b, 1);
  }
  for (int table = 0; table < 2; ++table) {
    put_text(&b, table == 0 ? "uv" : "layer");
    put(&b, table == 0 ? 2 : 1, 2);
    put(&b, (uint32_t)table, 4);
    for (int k = 0; k < 2 - table; ++k) put(&b, 0, 4);
  }
  put(&b, UINT32_MAX, 4), put(&b, 2, 2), put(&b, kind, 4);
  for (uint32_t primitive = 0; primitive < 3; ++primitive) {
    uint32_t corners = primitive == 0 ? 4 : 3;
    if (primitive == 2) put(&b, kind, 4);
    put(&b, corners, 4), put(&b, primitive == 1 ? ':' : '<', 1);
    for (uint32_t c = 0; c < corners; ++c) put(&b, c, 2), put_float(&b, 0.5f), put_float(&b, 0.5f);
    put(&b, 7, 4);
  }
  put(&b, 0x00ff, 2);
  return b;
}

// Clockwise there, the other way round here.
static void test_polygons(void) {
  static const uint32_t triangles[] = {0, 3, 2, 0, 2, 1, 0, 2, 1};
  mote_mesh mesh;
  bytes b = make_polygons(1);
  if (CHECK(kit_parse_mesh("a.bgeo", (const char *)b.data, b.size, &mesh, &error) == MOTE_OK)) {
    CHECK(mesh.vertices == 4 && mesh.triangles == 3);
    CHECK(memcmp(mesh.triangle, triangles, sizeof triangles) == 0);
    mote_mesh_free(&mesh, NULL);
  }
  for (size_t cut = 0; cut + 2 < b.size; ++cut)
    CHECK(kit_parse_mesh("a.bgeo", (const char *)b.data, cut, &mesh, &error) == MOTE_ERROR_FORMAT);
  b = make_polygons(0x8000);
  CHECK(kit_refused(kit_parse_mesh("a.bgeo", (const char *)b.data, b.size, &mesh, &error), &error, 0, 0,
                    "only polygons"));
}

static void test_malformed(void) {
  mote_cloud cloud;
  bytes b = make(4, 2, 0);
  CHECK(kit_refused(parse(&b, b.size, &cloud), &error, 0, 0, "version 4"));
  b = make(5, UINT32_MAX, 0);
  CHECK(kit_refused(parse(&b, b.size, &cloud), &error, 0, 0, "cut short"));
  b = make(5, 9, 0);
  CHECK(kit_refused(parse(&b, b.size, &cloud), &error, 0, 0, "cut short"));
  b = make(5, 2, 0);
  for (size_t cut = 0; cut < 41; ++cut) CHECK(parse(&b, cut, &cloud) == MOTE_ERROR_FORMAT);
  b = make(5, 2, 0);
  b.data[25] = 1;  // 2^24 attributes and more
  CHECK(parse(&b, b.size, &cloud) == MOTE_ERROR_FORMAT);
  b = make(5, 2, 0);
  memcpy(b.data, "\x7fNSJ", 4);
  CHECK(kit_refused(parse(&b, b.size, &cloud), &error, 0, 0, "newer BGEO"));
  memcpy(b.data, "what", 4);
  CHECK(kit_refused(parse(&b, b.size, &cloud), &error, 0, 0, "BgeoV"));
}

int main(void) {
  test_reading();
  test_polygons();
  test_malformed();
  return test_end();
}
