// STL: which of the two it is, and what is malformed.
#define _XOPEN_SOURCE 700
#include "io_kit.h"

static mote_error error;

static mote_result parse(const void *text, size_t size, mote_mesh *mesh) {
  return kit_parse_mesh("a.STL", text, size, mesh, &error);
}

static const char ascii[] =
    "solid two words\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1e0 0 0\n   VERTEX 0 1 "
    "0\n"
    "  endloop\n endfacet\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 0 1 0\n   vertex -1 "
    "0 0\n"
    "  endloop\n endfacet\nendsolid two vertex\n";

static void test_ascii(void) {
  mote_mesh mesh;
  if (!CHECK(parse(ascii, sizeof ascii - 1, &mesh) == MOTE_OK)) return;
  CHECK(mesh.vertices == 6 && mesh.triangles == 2 && mesh.vertex[3] == 1 && mesh.vertex[15] == -1);
  CHECK(mesh.triangle[5] == 5);
  mote_mesh_free(&mesh, NULL);
}

// A binary file may begin with "solid": its length tells.
static void test_binary(void) {
  uint8_t bytes[84 + 2 * 50] = "solid but binary";
  uint32_t count = 2;
  float x = 2.5f;
  mote_mesh mesh;
  memcpy(bytes + 80, &count, 4);
  memcpy(bytes + 84 + 50 + 12 + 8 * 4, &x, 4);
  if (CHECK(parse(bytes, sizeof bytes, &mesh) == MOTE_OK)) {
    CHECK(mesh.triangles == 2 && mesh.vertex[17] == 2.5);
    mote_mesh_free(&mesh, NULL);
  }
  uint8_t padded[sizeof bytes + 7] = {0};
  memcpy(padded, bytes, sizeof bytes);
  if (CHECK(parse(padded, sizeof padded, &mesh) == MOTE_OK)) mote_mesh_free(&mesh, NULL);
  bytes[0] = 'x';
  CHECK(kit_refused(parse(bytes, sizeof bytes - 1, &mesh), &error, 0, 0, "2 triangles are announced, 1"));
  count = UINT32_MAX;
  memcpy(bytes + 80, &count, 4);
  CHECK(kit_refused(parse(bytes, sizeof bytes, &mesh), &error, 0, 0, "cut short"));
  x = NAN;
  count = 2;
  memcpy(bytes + 80, &count, 4);
  memcpy(bytes + 84 + 12, &x, 4);
  CHECK(kit_refused(parse(bytes, sizeof bytes, &mesh), &error, 0, 0, "not a finite number"));
}

static void test_malformed(void) {
  static const struct {
    const char *text, *word;
    int line, column;
  } bad[] = {
      {"soft", "neither", 0, 0},
      {"solid a\nfacet\nvertex 0 0 0\nendfacet\n", "1 vertices", 4, 1},
      {"solid a\nfacet\nvertex 0 0 0\nvertex 0 0 0\nvertex 0 0 0\nvertex 0 0 0\n", "more than 3", 6, 1},
      {"solid a\nfacet\nvertex 0 x 0\n", "\"x\"", 3, 10},
      {"solid a\nfacet\nvertex 0 0 0\n", "cut short", 4, 1},
      {"solid a\nendsolid a\n", "no triangles", 0, 0}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
    mote_mesh mesh;
    CHECK(kit_refused(parse(bad[k].text, strlen(bad[k].text), &mesh), &error, bad[k].line, bad[k].column,
                      bad[k].word));
  }
}

int main(void) {
  test_ascii();
  test_binary();
  test_malformed();
  return test_end();
}
