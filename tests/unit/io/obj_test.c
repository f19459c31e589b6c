// OBJ: corners of all kinds, polygons, order; what is malformed is told with its place. And writing meshes.
#define _XOPEN_SOURCE 700
#include "abuse.h"
#include "io_kit.h"

static mote_error error;

#define PARSE(text, mesh) kit_parse_mesh("a.obj", text, sizeof text - 1, mesh, &error)

static void test_corners(void) {
  static const char *const texts[] = {"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n",
                                      "# by someone\r\no thing\r\nv 0 0 0 1\r\nv\t1 0 0\r\nvt 0 0\r\nvn 0 0 "
                                      "1\r\nv 1 1 0\r\nv 0 1 0 0.5 0.5 0.5\r\n"
                                      "usemtl m\r\nf 1/1/1 2//1 3/1 4 # a face\r\n",
                                      "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf -4 -3/1 -2 -1",
                                      "f 1 2\\\n 3 \\\n4\nv 0 0 0\nv 1e0 0 0\nv 1 1 0\nv 0 1 0\n"};
  static const uint32_t fan[] = {0, 1, 2, 0, 2, 3};
  for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k) {
    mote_mesh mesh;
    if (!CHECK(kit_parse_mesh("a.obj", texts[k], strlen(texts[k]), &mesh, &error) == MOTE_OK)) {
      fprintf(stderr, "  %zu: %d:%d %s\n", k, error.line, error.column, error.text);
      continue;
    }
    CHECK(mesh.vertices == 4 && mesh.triangles == 2 && memcmp(mesh.triangle, fan, sizeof fan) == 0);
    CHECK(mesh.vertex[6] == 1 && mesh.vertex[9] == 0 && mesh.vertex[10] == 1);
    mote_mesh_free(&mesh, NULL);
  }
}

#define BAD(text, line, column, word) CHECK(kit_refused(PARSE(text, &mesh), &error, line, column, word))

static void test_malformed(void) {
  mote_mesh mesh;
  BAD("v 0 0\n", 1, 6, "three coordinates");
  BAD("v 0 0 0\nv 0 zero 0\n", 2, 5, "\"zero\"");
  BAD("v 0 0 0\nf 1 2\n", 2, 6, "three corners");
  BAD("v 0 0 0\nf 1 1 x\n", 2, 7, "\"x\"");
  BAD("v 0 0 0\nf 1 1 0\n", 2, 7, "no such vertex");
  BAD("v 0 0 0\nf 1 1 -2\n", 2, 7, "no such vertex");
  BAD("v 0 0 0\nf 1 1 1\nf 1 9 1\nf 1 1 1\n", 3, 5, "no vertex 9");
  BAD("v 0 0 0\n", 0, 0, "no triangles");
  BAD("v 0 0 nan\nf 1 1 1\n", 0, 0, "vertex 1");
  BAD("v 0 0 0\nf 1 1 99999999999999999999999\n", 2, 7, "vertex");
}

// Written and read again in all three formats; STL has vertices of each triangle, in single precision.
static void test_writing(void) {
  double vertex[] = {0.1, 0, 0, 1, 0, -1e-17, 0, 1.0 / 3, 0, 0, 0, 1};
  uint32_t triangle[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  mote_mesh mesh = {vertex, triangle, 4, 4}, back;
  const char *paths[] = {"a.obj", "a.ply", "a.ply.gz"};
  for (int k = 0; k < 3; ++k) {
    CHECK(mote_mesh_write(&mesh, paths[k], &error) == MOTE_OK);
    if (!CHECK(mote_mesh_read(paths[k], NULL, &back, &error) == MOTE_OK)) continue;
    CHECK(back.vertices == 4 && memcmp(back.vertex, vertex, sizeof vertex) == 0);
    CHECK(back.triangles == 4 && memcmp(back.triangle, triangle, sizeof triangle) == 0);
    mote_mesh_free(&back, NULL);
  }
  CHECK(mote_mesh_write(&mesh, "a.stl", &error) == MOTE_OK);
  CHECK(mote_mesh_read("a.stl", NULL, &back, &error) == MOTE_OK && back.vertices == 12 &&
        back.triangles == 4);
  for (size_t k = 0; k < 36; ++k)
    CHECK(back.vertex[k] == (double)(float)vertex[3 * triangle[back.triangle[k / 3]] + k % 3]);
  mote_mesh_free(&back, NULL);
  triangle[5] = 4;
  REFUSED(mote_mesh_write(&mesh, "b.obj", &error), ARGUMENT, "vertex 4");
  mesh.triangle[0] = 0;
  mesh.vertex[4] = (double)NAN;
  for (size_t k = 0; k < 5; ++k) {
    static const char *const paths_nan[] = {"b.obj", "b.ply", "b.stl", "b.vtp", "b.glb"};
    REFUSED(mote_mesh_write(&mesh, paths_nan[k], &error), ARGUMENT, "vertex 1 is not finite");
  }
  mesh.vertex[4] = 0.0;
  REFUSED(mote_mesh_write(&mesh, "b.fbx", &error), ARGUMENT,
          "written as obj, ply, stl, vtp, glb, usda or bgeo");
  REFUSED(mote_mesh_read("none.obj", NULL, &back, &error), FILE, "No such file");
}

static const char *read_path;

static mote_result read_once(const mote_env *env) {
  mote_mesh mesh;
  mote_result result = mote_mesh_read(read_path, env, &mesh, &error);
  if (result == MOTE_OK) mote_mesh_free(&mesh, env);
  return result;
}

int main(void) {
  kit_enter();
  test_corners();
  test_malformed();
  test_writing();
  const char *paths[] = {"a.obj", "a.ply", "a.stl"};
  for (int k = 0; k < 3; ++k) {
    read_path = paths[k];
    abuse_exhaust(read_path, read_once, &error);
  }
  return test_end();
}
