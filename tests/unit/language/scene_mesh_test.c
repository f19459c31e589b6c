// Meshes in scenes: found beside the scene, mended, flattened with their full path and hash.
#define _POSIX_C_SOURCE 200809L
#include "scene_kit.h"

// A tetrahedron of volume size^3/6, inside out.
static void write_mesh(const char *name, double size) {
  char text[256];
  snprintf(text, sizeof text, "v 0 0 0\nv %g 0 0\nv 0 %g 0\nv 0 0 %g\nf 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n",
           size, size, size);
  kit_write(name, text);
}

static mote_scene_file *parse_in(const char *name, const char *text) {
  mote_scene_file *file = NULL;
  mote_error error = {0};
  if (mote_scene_parse(text, strlen(text), name, NULL, 0, NULL, &file, &error) != MOTE_OK)
    fprintf(stderr, "%s:%d:%d: %s\n", error.file, error.line, error.column, error.text);
  return file;
}

static void test_mesh(void) {
  mote_scene_file *file = NULL, *again = NULL, *changed = NULL;
  mote_error error = {0};
  CHECK(mote_scene_read(kit_path("scene.yaml"), NULL, 0, NULL, &file, &error) == MOTE_OK);
  if (!CHECK(file != NULL)) return;
  const mote_shape_def *shape = &mote_scene_file_scene(file)->body[0].shape;
  CHECK(shape->kind == MOTE_SHAPE_MESH && shape->mesh.vertices == 4 && shape->mesh.triangles == 4);
  mote_mesh_report report;
  CHECK(mote_mesh_examine(&shape->mesh, NULL, &report, NULL) == MOTE_OK);
  CHECK_NEAR(report.volume, 8.0 / 6, 1e-12);
  const char *text = mote_scene_file_text(file, NULL);
  CHECK(strstr(text, kit_path("thing.obj")) != NULL && strstr(text, "hash: ") != NULL);
  // From another folder the flattened scene is the same scene.
  again = parse_in("/elsewhere/scene.yaml", text);
  if (CHECK(again != NULL)) {
    CHECK_TEXT(mote_scene_file_text(again, NULL), text);
    CHECK(mote_scene_file_hash(again) == mote_scene_file_hash(file));
  }
  // Another content is noticed; the same content elsewhere is the same scene.
  write_mesh("thing.obj", 3);
  CHECK(mote_scene_parse(text, strlen(text), "/elsewhere/scene.yaml", NULL, 0, NULL, &changed, &error) ==
        MOTE_ERROR_FORMAT);
  CHECK(strstr(error.text, "the mesh file has changed") != NULL);
  write_mesh("other.obj", 2);
  static const char *const set[] = {"bodies.a.shape.mesh.file=other.obj"};
  char here[256];
  CHECK(getcwd(here, sizeof here) != NULL && chdir(kit_folder) == 0);  // --set is relative to where one is
  CHECK(mote_scene_read("scene.yaml", set, 1, NULL, &changed, &error) == MOTE_OK);
  CHECK(chdir(here) == 0);
  CHECK(mote_scene_file_hash(changed) == mote_scene_file_hash(file));
  CHECK(mote_scene_differences(changed, file, NULL, NULL) == 0);
  mote_scene_file_destroy(changed);
  mote_scene_file_destroy(again);
  mote_scene_file_destroy(file);
}

// Numbers in another unit, and a mesh that is far larger than the domain.
static void test_unit(void) {
  static const struct {
    const char *keys, *refused;
    double length;
  } cases[] = {
      {"", NULL, 2},
      {", unit: mm", NULL, 0.002},
      {", unit: inch", NULL, 0.0508},
      {", scale: 3, unit: cm", NULL, 0.06},
      {", scale: 500", "is 1e+03 m long, 100 times as long as the domain, 10 m: write unit: mm", 0},
      {", scale: 5e7", "scale: 5e-08 would make it 5 m", 0},
      {", scale: 500, unit: m", NULL, 1000},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    char text[256];
    mote_scene_file *file = NULL;
    mote_error error = {0};
    snprintf(text, sizeof text,
             "spacing: 0.1\ndomain: {low: [0, 0, 0], high: [10, 5, 5]}\n"
             "bodies: {a: {shape: {mesh: {file: thing.obj%s}}}}\n",
             cases[k].keys);
    kit_write("unit.yaml", text);
    mote_result result = mote_scene_read(kit_path("unit.yaml"), NULL, 0, NULL, &file, &error);
    CHECK(result == (cases[k].refused == NULL ? MOTE_OK : MOTE_ERROR_FORMAT));
    if (result == MOTE_OK) {
      const mote_mesh *mesh = &mote_scene_file_scene(file)->body[0].shape.mesh;
      double most = 0;
      for (size_t v = 0; v < 3 * mesh->vertices; ++v) most = mesh->vertex[v] > most ? mesh->vertex[v] : most;
      CHECK_NEAR(most, cases[k].length, 1e-12 * cases[k].length);
    } else {
      CHECK(error.line == 3 && error.column == 35);
      if (!CHECK(strstr(error.text, cases[k].refused) != NULL)) fprintf(stderr, "  %s\n", error.text);
    }
    mote_scene_file_destroy(file);
  }
  // The scale of the shapes around it counts.
  kit_write("unit.yaml",
            "spacing: 0.1\ndomain: {low: [0, 0, 0], high: [10, 5, 5]}\nbodies: {a: {shape: {union: "
            "[{mesh: {file: thing.obj, scale: 1000}}], scale: 0.001}}}\n");
  mote_scene_file *file = NULL;
  CHECK(mote_scene_read(kit_path("unit.yaml"), NULL, 0, NULL, &file, NULL) == MOTE_OK);
  mote_scene_file_destroy(file);
}

int main(void) {
  static const char *const names[] = {"thing.obj", "other.obj", "scene.yaml", "unit.yaml"};
  if (!kit_enter_folder()) return test_end();
  write_mesh("thing.obj", 2);
  kit_write("scene.yaml", "spacing: 0.1\nbodies: {a: {shape: {mesh: {file: thing.obj}}}}\n");
  test_unit();
  test_mesh();
  kit_starve(kit_path("scene.yaml"), NULL);
  kit_leave_folder(names, sizeof names / sizeof *names);
  return test_end();
}
