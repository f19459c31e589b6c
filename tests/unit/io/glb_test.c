// GLB of others: nodes within nodes, matrices, strips and fans, small integers, several primitives; what is
// not read says so; copies without end are refused.
#define _DEFAULT_SOURCE
#define _XOPEN_SOURCE 700
#include "io/glb.h"

#include <unistd.h>

#include "io_kit.h"

static mote_error error;

// A file of this JSON and these bytes.
static mote_result parse(const char *json, const void *bin, size_t size, mote_surface *out) {
  static uint8_t file[1 << 16];
  size_t length = (strlen(json) + 3) / 4 * 4, all = 28 + length + size;
  uint32_t head[5] = {0x46546c67, 2, (uint32_t)all, (uint32_t)length, 0x4e4f534a};
  uint32_t chunk[2] = {(uint32_t)size, 0x004e4942};
  mote_env env = mote_env_default();
  if (all > sizeof file) abort();
  memcpy(file, head, sizeof head);
  memset(file + 20, ' ', length);
  memcpy(file + 20, json, strlen(json));
  memcpy(file + 20 + length, chunk, sizeof chunk);
  memcpy(file + 28 + length, bin, size);
  mote_file_content source = {file, all, "a.glb", &env};
  error = (mote_error){0};
  return mote_surface_parse(&source, out, NULL, &error);
}

static bool refused(const char *json, const void *bin, size_t size, const char *word) {
  mote_surface surface;
  mote_result result = parse(json, bin, size, &surface);
  bool ok = result == MOTE_ERROR_FORMAT && strstr(error.text, word) != NULL;
  if (!ok) fprintf(stderr, "  \"%s\", wanted \"%s\"\n", error.text, word);
  return ok;
}

// Four corners of a square, its indices as bytes, colours as bytes.
typedef struct square {
  float position[12];
  uint8_t index[4], colour[16];
} square;
static const square bytes = {{0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0},
                             {0, 1, 2, 3},
                             {255, 255, 255, 255, 0, 0, 0, 255, 55, 55, 55, 255, 1, 1, 1, 128}};

#define VIEWS                                                                                                \
  "\"asset\":{\"version\":\"2.0\"},\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},{\"buffer\":0,"         \
  "\"byteOffset\":48,\"byteLength\":4},{\"buffer\":0,\"byteOffset\":52,\"byteLength\":16}],\"accessors\":[{" \
  "\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},{\"bufferView\":1,"                \
  "\"componentType\":5121,\"count\":4,\"type\":\"SCALAR\"},{\"bufferView\":2,\"componentType\":5121,"        \
  "\"normalized\":true,\"count\":4,\"type\":\"VEC4\"}]"

static void test_places(void) {
  mote_surface s;
  // Turned by a quarter about y (x goes to -z), twice as large, and the parent moves it; the second is
  // mirrored.
  static const char json[] =
      "{" VIEWS
      ",\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"translation\":[10,0,0],\"children\":[1,2]},"
      "{\"mesh\":0,\"rotation\":[0,0.7071067811865476,0,0.7071067811865476],\"scale\":[2,2,2]},"
      "{\"mesh\":0,\"matrix\":[-1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,5,1]}],"
      "\"meshes\":[{\"primitives\":[{\"mode\":5,\"attributes\":{\"POSITION\":0},\"indices\":1}]}]}";
  if (!CHECK(parse(json, &bytes, sizeof bytes, &s) == MOTE_OK)) {
    fprintf(stderr, "  %s\n", error.text);
    return;
  }
  static const uint32_t turned[] = {0, 1, 2, 1, 3, 2}, mirrored[] = {4, 6, 5, 5, 6, 7};
  CHECK(s.mesh.vertices == 8 && s.mesh.triangles == 4 && s.fields == 0);
  CHECK(memcmp(s.mesh.triangle, turned, sizeof turned) == 0);
  CHECK(memcmp(s.mesh.triangle + 6, mirrored, sizeof mirrored) == 0);
  CHECK_NEAR(s.mesh.vertex[3], 10, 1e-15);
  CHECK_NEAR(s.mesh.vertex[5], -2, 1e-15);
  CHECK(s.mesh.vertex[12 + 9] == 9 && s.mesh.vertex[12 + 11] == 5);
  mote_surface_free(&s, NULL);
}

static void test_colours(void) {
  mote_surface s;
  static const char json[] =
      "{" VIEWS
      ",\"meshes\":[{\"primitives\":[{\"mode\":6,\"attributes\":{\"POSITION\":0,\"COLOR_0\":2,"
      "\"_Heat\":1,\"TEXCOORD_0\":9}}]}]}";
  if (!CHECK(parse(json, &bytes, sizeof bytes, &s) == MOTE_OK)) {
    fprintf(stderr, "  %s\n", error.text);
    return;
  }
  CHECK(s.mesh.triangles == 2 && s.mesh.triangle[3] == 0 && s.fields == 2);
  const uint8_t *c = s.field[0].data;
  CHECK(strcmp(s.field[0].name, "colour") == 0 && s.field[0].type == MOTE_TYPE_U8 &&
        s.field[0].components == 4);
  // Linear 55/255 = 0.2157 is 0.5019 in sRGB (IEC 61966-2-1), which is 128; linear 1/255 is 13; alpha is
  // kept.
  CHECK(c[0] == 255 && c[4] == 0 && c[8] == 128 && c[12] == 13 && c[15] == 128);
  CHECK(strcmp(s.field[1].name, "heat") == 0 && mote_field_value(&s.field[1], 2, 0) == 2);
  mote_surface_free(&s, NULL);
}

// The curve and its inverse, at the joint and at the ends.
static void test_curve(void) {
  for (int k = 0; k <= 255; ++k)
    CHECK_NEAR(mote_glb_srgb(mote_glb_linear(k / 255.0)), k / 255.0, 1e-7);  // the printed joint is 1e-8 off
  CHECK(mote_glb_linear(0) == 0 && mote_glb_linear(1) == 1 && mote_glb_linear(-1) == 0);
  CHECK_NEAR(mote_glb_linear(0.5), 0.21404114048223255, 1e-12);
}

#define MESH ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}]"

static void test_refusals(void) {
  size_t size = sizeof bytes;
  CHECK(refused("{", &bytes, size, "malformed"));
  CHECK(refused("{\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]}", &bytes, size, "KHR_draco"));
  CHECK(refused("{" VIEWS MESH "}", &bytes, 50, "accessor 1 goes beyond"));
  CHECK(refused("{" VIEWS ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":7}}]}]}", &bytes, size,
                "no accessor 7"));
  CHECK(refused("{" VIEWS ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":2}}]}]}", &bytes, size,
                "not three floats"));
  CHECK(refused("{" VIEWS MESH ",\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"children\":[0]}]}", &bytes, size,
                "two parents"));
  CHECK(
      refused("{" VIEWS MESH ",\"scenes\":[{\"nodes\":[3]}],\"nodes\":[{}]}", &bytes, size, "no such node"));
  CHECK(refused("{\"asset\":{\"version\":\"2.0\"}}", &bytes, size, "no triangles"));
  square wrong = bytes;
  wrong.index[2] = 4;
  CHECK(refused("{" VIEWS MESH "}", &wrong, size, "beyond the vertices"));
  wrong = bytes;
  wrong.position[4] = (double)NAN;
  CHECK(refused("{" VIEWS MESH "}", &wrong, size, "not a finite number"));
}

// Nodes may show one mesh many times, but not without end: 3000 times 700 vertices in 20 kB.
static void test_copies(void) {
  static char json[60000];
  static float many[3 * 700];
  mote_surface s;
  for (int nodes = 10; nodes <= 3000; nodes += 2990) {
    size_t used = (size_t)snprintf(
        json, sizeof json,
        "{\"bufferViews\":[{\"buffer\":0,\"byteLength\":8400}],\"accessors\":[{\"bufferView\":0,"
        "\"componentType\":5126,\"count\":700,\"type\":\"VEC3\"}],\"meshes\":[{\"primitives\":[{"
        "\"attributes\":{\"POSITION\":0}}]}],\"scenes\":[{\"nodes\":[0");
    for (int k = 1; k < nodes; ++k) used += (size_t)snprintf(json + used, sizeof json - used, ",%d", k);
    used += (size_t)snprintf(json + used, sizeof json - used, "]}],\"nodes\":[{\"mesh\":0}");
    for (int k = 1; k < nodes; ++k)
      used += (size_t)snprintf(json + used, sizeof json - used, ",{\"mesh\":0}");
    snprintf(json + used, sizeof json - used, "]}");
    mote_result result = parse(json, many, sizeof many, &s);
    CHECK(result == (nodes == 10 ? MOTE_OK : MOTE_ERROR_FORMAT));
    if (result == MOTE_OK) CHECK(s.mesh.vertices == 7000 && s.mesh.triangles == 2330);
    if (result == MOTE_OK) mote_surface_free(&s, NULL);
  }
  CHECK(strstr(error.text, "too many copies") != NULL);
}

// The field "next" is a morph target, and comes back as it was; targets of others are no fields.
static void test_next(void) {
  double vertex[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, next[12];
  uint32_t triangle[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
  for (int k = 0; k < 12; ++k) next[k] = 0.125 * k - 0.5;
  mote_surface s = {.mesh = {vertex, triangle, 4, 4}, .fields = 1}, back;
  s.field[0] = (mote_field_view){"next", "m", MOTE_TYPE_F64, 3, 4, next};
  mote_stamp stamp = {.time = 1.0};
  char path[] = "/tmp/mote_next_XXXXXX.glb", text[4096];
  int file = mkstemps(path, 4);
  CHECK(file >= 0 && close(file) == 0);
  CHECK(mote_surface_write(&s, &stamp, path, &error) == MOTE_OK);
  FILE *in = fopen(path, "rb");
  size_t size = fread(text, 1, sizeof text - 1, in);
  fclose(in);
  for (size_t k = 0; k < size; ++k) text[k] = text[k] == 0 ? ' ' : text[k];
  text[size] = 0;
  CHECK(strstr(text, "\"targets\":[{\"POSITION\":") != NULL && strstr(text, "_NEXT") == NULL);
  if (CHECK(mote_surface_read(path, NULL, &back, NULL, &error) == MOTE_OK)) {
    CHECK(back.fields == 1 && strcmp(back.field[0].name, "next") == 0);
    CHECK(strcmp(back.field[0].unit, "m") == 0 && back.field[0].components == 3);
    for (size_t k = 0; k < 12; ++k) CHECK(mote_field_value(&back.field[0], k / 3, (int)(k % 3)) == next[k]);
    CHECK(memcmp(back.mesh.vertex, vertex, sizeof vertex) == 0);
    mote_surface_free(&back, NULL);
  }
  remove(path);
}

int main(void) {
  test_next();
  test_places();
  test_colours();
  test_curve();
  test_refusals();
  test_copies();
  return test_end();
}
