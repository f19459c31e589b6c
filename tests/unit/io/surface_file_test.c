// Surfaces as files: written and read again in every format, with what each holds; far from the origin;
// nothing; damaged at every place; without memory.
#define _XOPEN_SOURCE 700
#include "abuse.h"
#include "io_kit.h"

static mote_error error;

enum { RING = 24, TURNS = 48, VERTICES = RING * TURNS, TRIANGLES = 2 * VERTICES };

// A torus about the y axis with normals and fields of all types.
typedef struct torus {
  mote_surface surface;
  double vertex[3 * VERTICES];
  uint32_t triangle[3 * TRIANGLES];
  float normal[3 * VERTICES], velocity[3 * VERTICES], density[VERTICES];
  uint32_t body[VERTICES];
  uint8_t colour[4 * VERTICES];
  double stress[9 * VERTICES];
} torus;

static void add(torus *t, const char *name, const char *unit, mote_type type, int components, void *data) {
  t->surface.field[t->surface.fields++] = (mote_field_view){name, unit, type, components, VERTICES, data};
}

static torus *make_torus(double x, double y, double z) {
  torus *t = calloc(1, sizeof *t);
  uint64_t state = 3;
  if (t == NULL) abort();
  for (size_t v = 0; v < VERTICES; ++v) {
    double a = 2 * 3.14159265358979 * (double)(v / RING) / TURNS,
           b = 2 * 3.14159265358979 * (double)(v % RING) / RING;
    double n[3] = {cos(b) * cos(a), sin(b), cos(b) * sin(a)};
    double place[3] = {x + cos(a), y, z + sin(a)};
    for (size_t c = 0; c < 3; ++c) {
      t->vertex[3 * v + c] = place[c] + 0.25 * n[c];
      t->normal[3 * v + c] = (float)n[c];
      t->velocity[3 * v + c] = (float)(kit_random(&state) >> 40) * 1e-3f - 8e3f;
    }
    t->density[v] = 1000 + (float)v / 7;
    t->body[v] = (uint32_t)v;
    for (size_t c = 0; c < 4; ++c) t->colour[4 * v + c] = (uint8_t)(v * (c + 1) + c);
    for (size_t c = 0; c < 9; ++c) t->stress[9 * v + c] = (double)(int64_t)kit_random(&state) * 1e-30;
    uint32_t here = (uint32_t)v, up = (uint32_t)(v / RING * RING + (v + 1) % RING),
             next = (uint32_t)((v + RING) % VERTICES), both = (up + RING) % VERTICES;
    uint32_t two[6] = {here, up, next, up, both, next};
    memcpy(t->triangle + 6 * v, two, sizeof two);
  }
  t->surface = (mote_surface){.mesh = {t->vertex, t->triangle, VERTICES, TRIANGLES}, .normal = t->normal};
  add(t, "velocity", "m/s", MOTE_TYPE_F32, 3, t->velocity);
  add(t, "density", "kg/m^3", MOTE_TYPE_F32, 1, t->density);
  add(t, "body", "", MOTE_TYPE_U32, 1, t->body);
  add(t, "colour", "", MOTE_TYPE_U8, 4, t->colour);
  add(t, "stress \"xx\"", "Pa", MOTE_TYPE_F64, 9, t->stress);
  return t;
}

static const mote_stamp stamp = {"0.1.0", 0xc0ffee00c0ffee11u, 0.1, 12345, 0.02, 1.125};

// The header of an STL file has no room for them.
static bool same_sizes(const mote_stamp *a) {
  return a->spacing == stamp.spacing && a->volume_ratio == stamp.volume_ratio;
}

static bool same_stamp(const mote_stamp *a) {
  return strcmp(a->version, stamp.version) == 0 && a->scene_hash == stamp.scene_hash &&
         a->time == stamp.time && a->step == stamp.step;
}

static bool same_triangles(const mote_mesh *a, const mote_mesh *b) {
  return a->triangles == b->triangles &&
         memcmp(a->triangle, b->triangle, 3 * a->triangles * sizeof *a->triangle) == 0;
}

static bool same_vertices(const mote_mesh *a, const mote_mesh *b) {
  return a->vertices == b->vertices && memcmp(a->vertex, b->vertex, 3 * a->vertices * sizeof *a->vertex) == 0;
}

static const mote_field_view *find(const mote_surface *surface, const char *name) {
  for (int k = 0; k < surface->fields; ++k)
    if (strcmp(surface->field[k].name, name) == 0) return &surface->field[k];
  return NULL;
}

// VTP and PLY hold all of it, bit for bit (PLY has no room for the quotes' space in a name).
static void test_exact(void) {
  static const char *const paths[] = {"a.vtp", "a.vtp.gz", "a.ply", "A.PLY.gz"};
  torus *t = make_torus(0.1, 0.2, 0.3);
  for (int p = 0; p < 4; ++p) {
    mote_surface back;
    mote_stamp told;
    if (!CHECK(mote_surface_write(&t->surface, &stamp, paths[p], &error) == MOTE_OK)) continue;
    CHECK(mote_surface_holds(paths[p]));
    if (!CHECK(mote_surface_read(paths[p], NULL, &back, &told, &error) == MOTE_OK)) {
      fprintf(stderr, "  %s: %s\n", paths[p], error.text);
      continue;
    }
    CHECK(same_stamp(&told));
    CHECK(same_vertices(&back.mesh, &t->surface.mesh) && same_triangles(&back.mesh, &t->surface.mesh));
    CHECK(back.normal != NULL && memcmp(back.normal, t->normal, sizeof t->normal) == 0);
    CHECK(back.fields == 5);
    for (int k = 0; k < 4; ++k) {
      const mote_field_view *field = find(&back, t->surface.field[k].name);
      CHECK(kit_same_field(field, &t->surface.field[k]) &&
            strcmp(field->unit, t->surface.field[k].unit) == 0);
    }
    if (p < 2) CHECK(kit_same_field(find(&back, "stress \"xx\""), &t->surface.field[4]));
    mote_surface_free(&back, NULL);
  }
  free(t);
}

// OBJ holds normals and colours, STL triangles in single precision.
static void test_obj_and_stl(void) {
  torus *t = make_torus(0.1, 0.2, 0.3);
  mote_surface back;
  mote_stamp told;
  CHECK(mote_surface_write(&t->surface, &stamp, "a.obj", &error) == MOTE_OK);
  if (CHECK(mote_surface_read("a.obj", NULL, &back, &told, &error) == MOTE_OK)) {
    CHECK(same_stamp(&told));
    CHECK(same_vertices(&back.mesh, &t->surface.mesh) && same_triangles(&back.mesh, &t->surface.mesh));
    CHECK(back.normal != NULL && memcmp(back.normal, t->normal, sizeof t->normal) == 0);
    CHECK(back.fields == 1 && back.field[0].components == 3);
    for (size_t v = 0; v < VERTICES; ++v)
      CHECK(memcmp((uint8_t *)back.field[0].data + 3 * v, t->colour + 4 * v, 3) == 0);
    mote_surface_free(&back, NULL);
  }
  CHECK(mote_surface_write(&t->surface, &stamp, "a.stl", &error) == MOTE_OK);
  if (CHECK(mote_surface_read("a.stl", NULL, &back, &told, &error) == MOTE_OK)) {
    CHECK(same_stamp(&told) && back.fields == 0 && back.normal == NULL);
    CHECK(back.mesh.triangles == TRIANGLES && back.mesh.vertices == 3 * TRIANGLES);
    for (size_t k = 0; k < 3 * TRIANGLES; ++k)
      CHECK(back.mesh.vertex[3 * k + 1] == (double)(float)t->vertex[3 * t->triangle[k] + 1]);
    mote_surface_free(&back, NULL);
  }
  free(t);
}

// Half a unit in the last place of the size, wherever the mesh is; colours exact; fields in single precision.
static void test_glb(void) {
  static const double places[][3] = {{0.1, 0.2, 0.3}, {1e6, -3e5, 0.1}, {1e9, 0, 0}};
  for (int p = 0; p < 3; ++p) {
    torus *t = make_torus(places[p][0], places[p][1], places[p][2]);
    mote_surface back;
    mote_stamp told;
    CHECK(mote_surface_write(&t->surface, &stamp, "a.glb", &error) == MOTE_OK);
    if (!CHECK(mote_surface_read("a.glb", NULL, &back, &told, &error) == MOTE_OK)) {
      fprintf(stderr, "  %s\n", error.text);
      continue;
    }
    CHECK(same_stamp(&told) && same_triangles(&back.mesh, &t->surface.mesh));
    // The sum in double rounds, too: 2^-53 of the place.
    double most = 0, bound = 2 * 0x1p-24 + fabs(places[p][0]) * 0x1p-52;
    for (size_t k = 0; k < 3 * VERTICES; ++k) most = fmax(most, fabs(back.mesh.vertex[k] - t->vertex[k]));
    CHECK(back.mesh.vertices == VERTICES && most <= bound);
    CHECK(back.normal != NULL && memcmp(back.normal, t->normal, sizeof t->normal) == 0);
    CHECK(back.fields == 4 && find(&back, "stress \"xx\"") == NULL);
    for (int k = 0; k < 4; ++k) {
      const mote_field_view *field = find(&back, t->surface.field[k].name);
      CHECK(kit_same_field(field, &t->surface.field[k]) &&
            strcmp(field->unit, t->surface.field[k].unit) == 0);
    }
    mote_surface_free(&back, NULL);
    free(t);
  }
}

// USD holds everything but the last digits of positions, and its velocities are those of the schema.
static void test_usd(void) {
  static const double places[][3] = {{0.1, 0.2, 0.3}, {1e6, -3e5, 0.1}};
  for (int p = 0; p < 2; ++p) {
    torus *t = make_torus(places[p][0], places[p][1], places[p][2]);
    mote_surface back;
    mote_stamp told;
    CHECK(mote_surface_write(&t->surface, &stamp, "a.usda", &error) == MOTE_OK);
    CHECK(mote_surface_holds("a.usda"));
    if (!CHECK(mote_surface_read("a.usda", NULL, &back, &told, &error) == MOTE_OK)) {
      fprintf(stderr, "  %d:%d: %s\n", error.line, error.column, error.text);
      continue;
    }
    CHECK(same_stamp(&told) && same_sizes(&told) && same_triangles(&back.mesh, &t->surface.mesh));
    double most = 0, bound = 2 * 0x1p-24 + fabs(places[p][0]) * 0x1p-52;
    for (size_t k = 0; k < 3 * VERTICES; ++k) most = fmax(most, fabs(back.mesh.vertex[k] - t->vertex[k]));
    CHECK(back.mesh.vertices == VERTICES && most <= bound);
    CHECK(back.normal != NULL && memcmp(back.normal, t->normal, sizeof t->normal) == 0);
    CHECK(back.fields == 5);
    for (int k = 0; k < 5; ++k) {
      const mote_field_view *field = find(&back, t->surface.field[k].name);
      CHECK(field != NULL && kit_same_field(field, &t->surface.field[k]));
      if (field != NULL && k != 3) CHECK_TEXT(field->unit, t->surface.field[k].unit);
    }
    mote_surface_free(&back, NULL);
    free(t);
  }
}

// BGEO holds single precision under Houdini's names; polygons of more than 65535 a run are several runs.
static void test_bgeo(void) {
  torus *t = make_torus(0.1, 0.2, 0.3);
  mote_surface back, many = t->surface;
  mote_stamp told;
  CHECK(mote_surface_write(&t->surface, &stamp, "a.bgeo", &error) == MOTE_OK);
  CHECK(mote_surface_holds("a.bgeo"));
  if (CHECK(mote_surface_read("a.bgeo", NULL, &back, &told, &error) == MOTE_OK)) {
    CHECK(same_stamp(&told) && same_triangles(&back.mesh, &t->surface.mesh));
    for (size_t k = 0; k < 3 * VERTICES; ++k) CHECK(back.mesh.vertex[k] == (double)(float)t->vertex[k]);
    CHECK(back.normal != NULL && memcmp(back.normal, t->normal, sizeof t->normal) == 0);
    CHECK(back.fields == 5 && kit_same_field(find(&back, "velocity"), &t->surface.field[0]));
    CHECK(kit_same_field(find(&back, "density"), &t->surface.field[1]));
    const mote_field_view *colour = find(&back, "colour");
    CHECK(colour != NULL && colour->components == 3 && find(&back, "Cd") == NULL);
    for (size_t v = 0; colour != NULL && v < VERTICES; ++v)
      CHECK(memcmp((uint8_t *)colour->data + 3 * v, t->colour + 4 * v, 3) == 0);
    mote_surface_free(&back, NULL);
  }
  enum { MANY = 70000, CORNERS = 3 * MANY };
  many.mesh.vertices = MANY, many.mesh.triangles = MANY, many.fields = 0, many.normal = NULL;
  many.mesh.vertex = calloc(CORNERS, sizeof(double));
  many.mesh.triangle = calloc(CORNERS, sizeof(uint32_t));
  for (uint32_t k = 0; k < CORNERS; ++k) many.mesh.triangle[k] = (k * 7919u + k / 3) % MANY;
  CHECK(mote_surface_write(&many, &stamp, "m.bgeo", &error) == MOTE_OK);
  if (CHECK(mote_surface_read("m.bgeo", NULL, &back, &told, &error) == MOTE_OK)) {
    CHECK(same_triangles(&back.mesh, &many.mesh) && same_stamp(&told));
    mote_surface_free(&back, NULL);
  }
  free(many.mesh.vertex);
  free(many.mesh.triangle);
  free(t);
}

// What the validator of glTF asks for: lengths, padding, bounds that are those of the floats.
static void test_glb_layout(void) {
  torus *t = make_torus(0, 0, 0);
  uint32_t head[5] = {0};
  static char text[1 << 16];
  CHECK(mote_surface_write(&t->surface, &stamp, "b.glb", &error) == MOTE_OK);
  FILE *file = fopen("b.glb", "rb");
  if (!CHECK(file != NULL)) return;
  CHECK(fread(head, 4, 5, file) == 5 && head[3] % 4 == 0 && head[3] < sizeof text);
  CHECK(fread(text, 1, head[3], file) == head[3]);
  CHECK(fseek(file, 0, SEEK_END) == 0 && (uint32_t)ftell(file) == head[2] && head[2] % 4 == 0);
  fclose(file);
  CHECK(strstr(text, "\"min\":[-1.25,-0.25,-1.25],\"max\":[1.25,0.25,1.25]") != NULL);
  CHECK(strstr(text, "\"_VELOCITY\":2") != NULL && strstr(text, "translation") == NULL);
  CHECK(strstr(text, "\"time\":0.1") != NULL);
  free(t);
}

static void test_empty(void) {
  static const char *const paths[] = {"e.vtp", "e.ply", "e.obj", "e.stl", "e.glb", "e.usda", "e.bgeo"};
  mote_surface none = {0}, back;
  mote_mesh mesh;
  mote_stamp told;
  for (int p = 0; p < 7; ++p) {
    CHECK(mote_surface_write(&none, &stamp, paths[p], &error) == MOTE_OK);
    if (CHECK(mote_surface_read(paths[p], NULL, &back, &told, &error) == MOTE_OK)) {
      CHECK(back.mesh.vertices == 0 && back.mesh.triangles == 0 && same_stamp(&told));
      CHECK(p == 3 || same_sizes(&told));
      mote_surface_free(&back, NULL);
    }
    REFUSED(mote_mesh_read(paths[p], NULL, &mesh, &error), FORMAT, "no triangles");
  }
}

static void test_refusals(void) {
  torus *t = make_torus(0, 0, 0);
  mote_surface back;
  REFUSED(mote_surface_write(&t->surface, NULL, "a.fbx", &error), ARGUMENT, "written as obj");
  REFUSED(mote_surface_write(&t->surface, NULL, "a.vtk", &error), ARGUMENT, "written as obj");
  REFUSED(mote_surface_write(NULL, NULL, "a.obj", &error), ARGUMENT, "null");
  REFUSED(mote_surface_read("none.glb", NULL, &back, NULL, &error), FILE, "No such file");
  t->surface.field[1].name = "velocity";
  REFUSED(mote_surface_write(&t->surface, NULL, "a.vtp", &error), ARGUMENT, "twice");
  t->surface.field[1].name = "density";
  t->surface.field[1].count = 3;
  REFUSED(mote_surface_write(&t->surface, NULL, "a.vtp", &error), ARGUMENT, "as many rows");
  free(t);
  kit_cloud *kit = kit_make(10, false);
  CHECK(mote_cloud_write(&kit->cloud, "p.vtp", &error) == MOTE_OK && !mote_surface_holds("p.vtp"));
  CHECK(mote_cloud_write(&kit->cloud, "p.ply.gz", &error) == MOTE_OK && !mote_surface_holds("p.ply.gz"));
  CHECK(mote_cloud_write(&kit->cloud, "p.bgeo", &error) == MOTE_OK && !mote_surface_holds("p.bgeo"));
  CHECK(mote_cloud_write(&kit->cloud, "p.usda", &error) == MOTE_OK && !mote_surface_holds("p.usda"));
  REFUSED(mote_surface_read("p.usda", NULL, &back, NULL, &error), FORMAT, "no prim of type Mesh");
  REFUSED(mote_surface_read("p.vtp", NULL, &back, NULL, &error), FORMAT, "no triangles");
  free(kit);
}

// A surface of four vertices, cut short and with bytes changed everywhere: refused, or read as some mesh.
static void test_damage(const char *path) {
  double vertex[] = {0.1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  uint32_t triangle[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  float normal[] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0}, speed[] = {1, 2, 3, 4};
  mote_surface small = {.mesh = {vertex, triangle, 4, 4}, .normal = normal, .fields = 1}, back;
  small.field[0] = (mote_field_view){"speed", "m/s", MOTE_TYPE_F32, 1, 4, speed};
  static char bytes[1 << 14];
  CHECK(mote_surface_write(&small, &stamp, path, &error) == MOTE_OK);
  FILE *file = fopen(path, "rb");
  size_t size = file != NULL ? fread(bytes, 1, sizeof bytes, file) : 0, refused = 0;
  if (file != NULL) fclose(file);
  mote_env env = mote_env_default();
  mote_file_content source = {(const uint8_t *)bytes, size, path, &env};
  size_t step = TEST_SHORT ? 3 : 1;
  for (size_t cut = 0; cut < size; cut += step) {
    source.size = cut;
    mote_result result = mote_surface_parse(&source, &back, NULL, &error);
    refused += result == MOTE_ERROR_FORMAT;
    if (result == MOTE_OK) mote_surface_free(&back, NULL);
  }
  // Lines of OBJ may end anywhere.
  CHECK(refused * step * 10 > size * (strcmp(path, "d.obj") == 0 ? 1 : 9));
  source.size = size;
  static const char wrong[] = {0, 1, (char)0x80, (char)0xff, '9', '[', '"'};
  for (size_t at = 0; at < size; at += step)
    for (size_t k = 0; k < sizeof wrong; ++k) {
      char kept = bytes[at];
      bytes[at] = wrong[k];
      mote_result result = mote_surface_parse(&source, &back, NULL, &error);
      CHECK(result == MOTE_OK || result == MOTE_ERROR_FORMAT);
      if (result == MOTE_OK) mote_surface_free(&back, NULL);
      bytes[at] = kept;
    }
}

static const char *read_path;

static mote_result read_once(const mote_env *env) {
  mote_surface surface;
  mote_result result = mote_surface_read(read_path, env, &surface, NULL, &error);
  if (result == MOTE_OK) mote_surface_free(&surface, env);
  return result;
}

int main(void) {
  kit_enter();
  test_exact();
  test_obj_and_stl();
  test_glb();
  test_usd();
  test_bgeo();
  test_glb_layout();
  test_empty();
  test_refusals();
  const char *paths[] = {"d.vtp", "d.ply", "d.obj", "d.glb", "d.stl", "d.usda", "d.bgeo"};
  for (int k = 0; k < 7; ++k) {
    test_damage(paths[k]);
  }
  const char *whole[] = {"a.vtp", "a.ply", "a.obj", "a.glb", "a.stl", "a.usda", "a.bgeo"};
  for (int k = 0; k < 7; ++k) {
    read_path = whole[k];
    abuse_exhaust(read_path, read_once, &error);
  }
  return test_end();
}
