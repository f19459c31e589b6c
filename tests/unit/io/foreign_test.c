// Files as other programs write them, byte for byte after their formats: SPlisHSPlasH (VTK, and BGEO by
// partio), DualSPHysics (PartVTK), splashsurf (XYZ, JSON, PLY). All hold the same particles.
#define _XOPEN_SOURCE 700
#include <stdarg.h>

#include "io_kit.h"

enum { COUNT = 5 };

typedef struct bytes {
  uint8_t data[4096];
  size_t size;
} bytes;

static float place(int i, int c) {
  return 0.1f * (float)i + (float)c;
}

static float velocity(int i, int c) {
  return -1.5f * (float)c + 0.3f * (float)i;
}

static float density(int i) {
  return 1000.25f + (float)i;
}

static unsigned id_of(int i) {
  return 4000000000u - 7u * (unsigned)i;  // sorted otherwise than the rows, beyond 2^31
}

__attribute__((format(printf, 2, 3))) static void put(bytes *b, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  b->size += (size_t)vsnprintf((char *)b->data + b->size, sizeof b->data - b->size, format, arguments);
  va_end(arguments);
}

static void put_big(bytes *b, uint32_t value, int size) {
  for (int k = size - 1; k >= 0; --k) b->data[b->size++] = (uint8_t)(value >> 8 * k);
}

static void put_big_float(bytes *b, float value) {
  uint32_t word;
  memcpy(&word, &value, 4);
  put_big(b, word, 4);
}

static void put_little_float(bytes *b, float value) {
  memcpy(b->data + b->size, &value, 4);
  b->size += 4;
}

typedef float of_particle(int i, int c);

static void put_floats(bytes *b, of_particle *of) {
  for (int i = 0; i < COUNT; ++i)
    for (int c = 0; c < 3; ++c) put_big_float(b, of(i, c));
}

static void put_densities(bytes *b) {
  for (int i = 0; i < COUNT; ++i) put_big_float(b, density(i));
}

static void put_ids(bytes *b) {
  for (int i = 0; i < COUNT; ++i) put_big(b, id_of(i), 4);
}

static void put_cells(bytes *b) {
  for (int i = 0; i < COUNT; ++i) put_big(b, 1, 4), put_big(b, (uint32_t)i, 4);
}

// --- What is read -----------------------------------------------------------------------------------------

static bool is_field(const mote_cloud *cloud, const char *name, of_particle *of) {
  const mote_field_view *field = mote_cloud_find(cloud, name);
  bool same = field != NULL && field->components == 3;
  for (int i = 0; i < COUNT && same; ++i)
    for (int c = 0; c < 3; ++c) same = same && mote_field_value(field, (size_t)i, c) == (double)of(i, c);
  return same;
}

static bool is_density(const mote_cloud *cloud, const char *name) {
  const mote_field_view *field = mote_cloud_find(cloud, name);
  bool same = field != NULL && field->components == 1;
  for (int i = 0; i < COUNT && same; ++i) same = mote_field_value(field, (size_t)i, 0) == (double)density(i);
  return same;
}

static bool is_id(const mote_cloud *cloud, const char *name) {
  const mote_field_view *field = mote_cloud_find(cloud, name);
  bool same = field != NULL && field->components == 1;
  for (int i = 0; i < COUNT && same; ++i)
    same = (uint32_t)(int64_t)mote_field_value(field, (size_t)i, 0) == id_of(i);
  return same;
}

static bool read_bytes(const char *name, const bytes *b, mote_cloud *cloud) {
  mote_error error;
  bool good = kit_parse(name, (const char *)b->data, b->size, cloud, &error) == MOTE_OK;
  if (!good) fprintf(stderr, "  %s: %d:%d %s\n", name, error.line, error.column, error.text);
  return good && cloud->count == COUNT && is_field(cloud, "position", place);
}

// --- VTK --------------------------------------------------------------------------------------------------

static void test_splishsplash_vtk(void) {
  static bytes b;
  mote_cloud cloud;
  put(&b, "# vtk DataFile Version 4.1\nSPlisHSPlasH particle data\nBINARY\nDATASET UNSTRUCTURED_GRID\n");
  put(&b, "POINTS %d float\n", COUNT), put_floats(&b, place);
  put(&b, "\nCELLS %d %d\n", COUNT, 2 * COUNT), put_cells(&b);
  put(&b, "\nCELL_TYPES %d\n", COUNT);
  for (int i = 0; i < COUNT; ++i) put_big(&b, 1, 4);
  put(&b, "\nPOINT_DATA %d\nSCALARS id unsigned_int 1\nLOOKUP_TABLE id_table\n", COUNT), put_ids(&b);
  put(&b, "\nFIELD FieldData 2\nvelocity 3 %d float\n", COUNT), put_floats(&b, velocity);
  put(&b, "\ndensity 1 %d float\n", COUNT), put_densities(&b), put(&b, "\n");
  if (!CHECK(read_bytes("ParticleData_Fluid_1.vtk", &b, &cloud))) return;
  CHECK(cloud.fields == 4 && is_id(&cloud, "id") && is_field(&cloud, "velocity", velocity) &&
        is_density(&cloud, "density"));
  mote_cloud_free(&cloud, NULL);
}

// Version 5 of PartVTK has arrays as fields, version 4 vectors and scalars.
static void test_dualsphysics_vtk(bool fields) {
  static bytes b;
  mote_cloud cloud;
  b.size = 0;
  put(&b, "# vtk DataFile Version 3.0\nvtk output\nBINARY\nDATASET POLYDATA\n");
  put(&b, "POINTS %d float\n", COUNT), put_floats(&b, place);
  put(&b, "\nVERTICES %d %d\n", COUNT, 2 * COUNT), put_cells(&b);
  put(&b, "\nPOINT_DATA %d\nSCALARS Idp unsigned_int\nLOOKUP_TABLE default\n", COUNT), put_ids(&b);
  put(&b, "%s", fields ? "\nFIELD FieldData 2\nVel 3 5 float\n" : "\nVECTORS Vel float\n"),
      put_floats(&b, velocity);
  put(&b, "%s", fields ? "\nRhop 1 5 float\n" : "\nSCALARS Rhop float\nLOOKUP_TABLE default\n");
  put_densities(&b), put(&b, "\n");
  if (!CHECK(read_bytes("PartFluid_0001.vtk", &b, &cloud))) return;
  CHECK(cloud.fields == 4 && is_id(&cloud, "Idp") && is_field(&cloud, "Vel", velocity) &&
        is_density(&cloud, "Rhop"));
  mote_cloud_free(&cloud, NULL);
}

// --- BGEO -------------------------------------------------------------------------------------------------

static void put_attribute(bytes *b, const char *name, int size, uint32_t type) {
  put_big(b, (uint32_t)strlen(name), 2), put(b, "%s", name);
  put_big(b, (uint32_t)size, 2), put_big(b, type, 4);
  for (int c = 0; c < size; ++c) put_big(b, 0, 4);
}

// partio writes one primitive, a system of all particles, and its attribute behind the points.
static void test_partio(const char *velocity_name, bool twice) {
  static bytes b;
  mote_cloud cloud;
  const uint32_t head[9] = {5, COUNT, 1, 0, 0, twice ? 4 : 3, 0, 1, 0};
  b.size = 0;
  put(&b, "BgeoV");
  for (int k = 0; k < 9; ++k) put_big(&b, head[k], 4);
  put_attribute(&b, "id", 1, 1), put_attribute(&b, velocity_name, 3, 5), put_attribute(&b, "density", 1, 0);
  if (twice) put_attribute(&b, "v", 3, 5);
  for (int i = 0; i < COUNT; ++i) {
    for (int c = 0; c < 3; ++c) put_big_float(&b, place(i, c));
    put_big_float(&b, 1), put_big(&b, id_of(i), 4);
    for (int c = 0; c < 3; ++c) put_big_float(&b, velocity(i, c));
    put_big_float(&b, density(i));
    for (int c = 0; c < 3 && twice; ++c) put_big_float(&b, place(i, c));
  }
  put_big(&b, 9, 2), put(&b, "generator"), put_big(&b, 1, 2), put_big(&b, 4, 4), put_big(&b, 1, 4);
  put_big(&b, 4, 2), put(&b, "papi");
  put_big(&b, 0x8000, 4), put_big(&b, COUNT, 4);
  for (uint32_t i = 0; i < COUNT; ++i) put_big(&b, i, 2);
  put_big(&b, 0, 4), put_big(&b, 0xff, 2);
  if (!CHECK(read_bytes("ParticleData_Fluid_1.bgeo", &b, &cloud))) return;
  CHECK(cloud.fields == (twice ? 5 : 4) && is_id(&cloud, "id") && is_field(&cloud, "velocity", velocity) &&
        is_density(&cloud, "density") && (!twice || is_field(&cloud, "v", place)));
  mote_cloud_free(&cloud, NULL);
}

// --- splashsurf -------------------------------------------------------------------------------------------

static void test_splashsurf_xyz(void) {
  static bytes b;
  mote_cloud cloud;
  mote_error error;
  for (int i = 0; i < COUNT; ++i)
    for (int c = 0; c < 3; ++c) put_little_float(&b, place(i, c));
  if (CHECK(read_bytes("a.xyz", &b, &cloud))) mote_cloud_free(&cloud, NULL);
  CHECK(kit_parse("a.xyz", (const char *)b.data, b.size - 1, &cloud, &error) == MOTE_ERROR_FORMAT);
  CHECK(strstr(error.text, "neither text nor three floats") != NULL);
}

static void test_splashsurf_json(void) {
  static bytes b;
  mote_cloud cloud;
  mote_error error;
  put(&b, "[");
  for (int i = 0; i < COUNT; ++i)
    put(&b, "%s\n  [%.9g, %.9g,%.9g]", i > 0 ? "," : "", (double)place(i, 0), (double)place(i, 1),
        (double)place(i, 2));
  put(&b, "\n]\n");
  if (CHECK(kit_parse("a.json", (const char *)b.data, b.size, &cloud, &error) == MOTE_OK)) {
    const mote_field_view *x = mote_cloud_find(&cloud, "position");
    CHECK(cloud.count == COUNT && (float)mote_field_value(x, 3, 0) == place(3, 0));
    mote_cloud_free(&cloud, NULL);
  }
  static const char *const bad[] = {
      "{}", "3", "[[1,2]]", "[[1,2,3,4]]", "[[1,2,\"3\"]]", "[1,2,3]", "[[1,2,3]", "[[1,2,null]]", ""};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k)
    CHECK(kit_parse("a.json", bad[k], strlen(bad[k]), &cloud, &error) == MOTE_ERROR_FORMAT);
  CHECK(kit_parse("a.json", "[]", 2, &cloud, &error) == MOTE_OK && cloud.count == 0);
  mote_cloud_free(&cloud, NULL);
}

static void test_splashsurf_ply(void) {
  static bytes b;
  mote_cloud cloud;
  put(&b, "ply\nformat binary_little_endian 1.0\nelement vertex %d\nproperty float x\nproperty float y\n",
      COUNT);
  put(&b, "property float z\nproperty float nx\nproperty float ny\nproperty float nz\nend_header\n");
  for (int i = 0; i < COUNT; ++i) {
    for (int c = 0; c < 3; ++c) put_little_float(&b, place(i, c));
    for (int c = 0; c < 3; ++c) put_little_float(&b, velocity(i, c));
  }
  if (!CHECK(read_bytes("a.ply", &b, &cloud))) return;
  CHECK(is_field(&cloud, "normal", velocity));
  mote_cloud_free(&cloud, NULL);
}

int main(void) {
  test_splishsplash_vtk();
  test_dualsphysics_vtk(true);
  test_dualsphysics_vtk(false);
  test_partio("velocity", false);
  test_partio("v", false);
  test_partio("velocity", true);
  test_splashsurf_xyz();
  test_splashsurf_json();
  test_splashsurf_ply();
  return test_end();
}
