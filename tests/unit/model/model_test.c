// Mesh files that are written again: positions and normals change, all else stays letter by letter.
#define _XOPEN_SOURCE 700
#include <mote/model.h>

#include "io_kit.h"

static mote_error error;

static void put_file(const char *path, const void *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  if (file == NULL || fwrite(bytes, 1, size, file) != size) abort();
  fclose(file);
}

static char *get_file(const char *path, size_t *size) {
  static char text[1 << 16];
  FILE *file = fopen(path, "rb");
  if (file == NULL) return memset(text, 0, sizeof text);
  *size = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[*size] = 0;
  return text;
}

static mote_model *open_model(const char *path) {
  mote_model *model = NULL;
  if (!CHECK(mote_model_read(path, NULL, &model, &error) == MOTE_OK)) fprintf(stderr, "  %s\n", error.text);
  return model;
}

// All positions moved by (1, 2, 3), normals turned from (x, y, z) to (y, z, x).
static void write_moved(const mote_model *model, const char *path, double move) {
  double position[60], normal[60];
  const mote_mesh *mesh = mote_model_mesh(model);
  const double *n = mote_model_normals(model);
  if (mesh->vertices > 20) abort();
  for (size_t k = 0; k < 3 * mesh->vertices; ++k) {
    position[k] = mesh->vertex[k] + move * (double)(k % 3 + 1);
    if (n != NULL) normal[k] = move > 0 ? n[k - k % 3 + (k + 1) % 3] : n[k];
  }
  mote_result result = mote_model_write(model, position, n == NULL ? NULL : normal, path, &error);
  if (!CHECK(result == MOTE_OK)) fprintf(stderr, "  %s\n", error.text);
}

// --- OBJ ---

static const char tetrahedron[] =
    "# a comment\n"
    "mtllib things.mtl\n"
    "o body\n"
    "v 0 0 0 1 0 0\n"
    "v 1 0 0 0 1 0 # green\n"
    "v 0 1 0 0 0 1\n"
    "v 0 0 1 1 1 1\n"
    "vt 0 0\n"
    "vt 1 0.5\n"
    "vn 0 0 -1\n"
    "vn 1 0 0\n"
    "g base\n"
    "usemtl red\n"
    "s 1\n"
    "f 1/1/1 3/2/1 2/1/1\n"
    "g side top\n"
    "f 1//2 -3//-1 \\\n"
    "  4//2 # a long one\n"
    "f 2 3 4\n"
    "f 3/2 1/1 4/1\n";

// Vertices 1 and 2 have two normals each.
static void test_obj(void) {
  put_file("a.obj", tetrahedron, sizeof tetrahedron - 1);
  mote_model *model = open_model("a.obj");
  if (model == NULL) return;
  const mote_mesh *mesh = mote_model_mesh(model);
  CHECK(mote_model_vertices(model) == 4 && mesh->vertices == 6 && mesh->triangles == 4);
  CHECK(mesh->triangle[3] == 4 && mesh->triangle[4] == 5 && mesh->triangle[5] == 3);
  CHECK(mote_model_groups(model) == 4);
  uint8_t inside[6] = {0};
  CHECK(mote_model_mark_group(model, "base", inside) == 3 && inside[0] && inside[1] && inside[2]);
  CHECK(mote_model_mark_group(model, "red", inside) == 3 &&
        mote_model_mark_group(model, "blue", inside) == 0);
  write_moved(model, "b.obj", 1);
  static const char wanted[] =
      "# a comment\n"
      "mtllib things.mtl\n"
      "o body\n"
      "v 1 2 3 1 0 0\n"
      "v 2 2 3 0 1 0 # green\n"
      "v 1 3 3 0 0 1\n"
      "v 1 2 4 1 1 1\n"
      "vt 0 0\n"
      "vt 1 0.5\n"
      "vn 0 -1 0\n"
      "vn 0 -1 0\n"
      "vn 0 -1 0\n"
      "vn 0 0 1\n"
      "vn 0 0 1\n"
      "vn 0 0 1\n"
      "g base\n"
      "usemtl red\n"
      "s 1\n"
      "f 1/1/1 3/2/3 2/1/2\n"
      "g side top\n"
      "f 1//5 -3//6 4//4 # a long one\n"
      "f 2 3 4\n"
      "f 3/2 1/1 4/1\n";
  size_t size;
  CHECK_TEXT(get_file("b.obj", &size), wanted);
  mote_model_destroy(model);
}

// Without normals nothing but the vertices is touched.
static void test_plain(void) {
  static const char text[] = "v 0 0 0\r\nv 1 0 0\r\nv 0 1 0 # x\r\nl 1 2\r\nf  1 2 3\r\n";
  static const char wanted[] = "v 0 0 0\r\nv 1 0 0\r\nv 0 1 0 # x\r\nl 1 2\r\nf  1 2 3\r\n";
  put_file("c.obj", text, sizeof text - 1);
  mote_model *model = open_model("c.obj");
  size_t size;
  if (model == NULL) return;
  CHECK(mote_model_normals(model) == NULL && mote_model_keeps(model, "x.OBJ.gz") &&
        !mote_model_keeps(model, "x.ply"));
  write_moved(model, "d.obj", 0);
  CHECK_TEXT(get_file("d.obj", &size), wanted);
  mote_model_destroy(model);
}

// --- PLY ---

static void test_ply(void) {
  static const char text[] =
      "ply\nformat ascii 1.0\ncomment kept\nelement camera 1\nproperty list uchar int view\n"
      "element vertex 3\nproperty uchar red\nproperty float x\nproperty float y\nproperty float z\n"
      "property list uchar float weights\nproperty float nx\nproperty float ny\nproperty float nz\n"
      "element face 1\nproperty list uchar int vertex_indices\nproperty int material\nend_header\n"
      "2 7 8\n255  0 0 0 1 0.5  0 0 1\n1 1 0 0 0 0 0 1\n2 0 1 0.25 2 1 1 0 0 1\n3 0 1 2 9\n";
  put_file("a.ply", text, sizeof text - 1);
  mote_model *model = open_model("a.ply");
  size_t size;
  if (model == NULL) return;
  write_moved(model, "b.ply", 0);
  CHECK_TEXT(get_file("b.ply", &size), text);
  write_moved(model, "b.ply", 1);
  CHECK(strstr(get_file("b.ply", &size),
               "\n2 7 8\n255  1 2 3 1 0.5  0 1 0\n1 2 2 3 0 0 1 0\n2 1 3 3.25 2 1 1 0 1 0\n3 0 1 2 9\n") !=
        NULL);
  mote_model_destroy(model);
}

static void test_ply_binary(void) {
  static const char head[] =
      "ply\nformat binary_big_endian 1.0\nelement vertex 3\nproperty uchar q\nproperty float x\n"
      "property float y\nproperty float z\nelement face 1\nproperty list uchar int "
      "vertex_index\nend_header\n";
  static const uint8_t rows[] = {11, 0, 0, 0, 0, 0, 0, 0, 0,  0, 0, 0, 0, 12,   0x3f, 0x80, 0, 0,
                                 0,  0, 0, 0, 0, 0, 0, 0, 13, 0, 0, 0, 0, 0x3f, 0x80, 0,    0, 0,
                                 0,  0, 0, 3, 0, 0, 0, 0, 0,  0, 0, 1, 0, 0,    0,    2};
  char text[512];
  size_t length = sizeof head - 1, size;
  memcpy(text, head, length);
  memcpy(text + length, rows, sizeof rows);
  put_file("c.ply", text, length + sizeof rows);
  mote_model *model = open_model("c.ply");
  if (model == NULL) return;
  write_moved(model, "d.ply", 0);
  const char *same = get_file("d.ply", &size);
  CHECK(size == length + sizeof rows && memcmp(same, text, size) == 0);
  write_moved(model, "d.ply", 1);
  const uint8_t *moved = (const uint8_t *)get_file("d.ply", &size) + length;
  static const uint8_t first[] = {11, 0x3f, 0x80, 0, 0, 0x40, 0, 0, 0, 0x40, 0x40, 0, 0};
  CHECK(size == length + sizeof rows && memcmp(moved, first, sizeof first) == 0);
  mote_model_destroy(model);
}

// --- GLB ---

typedef struct glb_bytes {
  float position[12], normal[12];
  uint16_t index[12];
} glb_bytes;

static size_t make_glb(const char *json, const glb_bytes *bin, const char *path) {
  static char file[1 << 14];
  size_t length = (strlen(json) + 3) / 4 * 4, all = 28 + length + sizeof *bin;
  uint32_t head[5] = {0x46546c67, 2, (uint32_t)all, (uint32_t)length, 0x4e4f534a};
  uint32_t chunk[2] = {sizeof *bin, 0x004e4942};
  memcpy(file, head, sizeof head);
  memset(file + 20, ' ', length);
  memcpy(file + 20, json, strlen(json));
  memcpy(file + 20 + length, chunk, sizeof chunk);
  memcpy(file + 28 + length, bin, sizeof *bin);
  put_file(path, file, all);
  return 28 + length;
}

#define GLB_LISTS                                                                                            \
  "\"buffers\":[{\"byteLength\":120}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},{\"buffer\":0,"      \
  "\"byteOffset\":48,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":96,\"byteLength\":24}],\"accessors\":[" \
  "{"                                                                                                        \
  "\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,1,1]},{" \
  "\"bufferView\":1,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},{\"bufferView\":2,"                \
  "\"componentType\":5123,\"count\":12,\"type\":\"SCALAR\"}],\"materials\":[{\"name\":\"wood\"}],"           \
  "\"meshes\":[{\"name\":\"m\",\"primitives\":[{\"material\":0,\"attributes\":{\"POSITION\":0,\"NORMAL\":1," \
  "\"TANGENT\":1},\"indices\":2}]}]"
static const glb_bytes glb_rest = {{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1},
                                   {0, 0, -1, 1, 0, 0, 0, 1, 0, 0, 0, 1},
                                   {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3}};

static mote_result no_pose(void *user, size_t k, double *position, double *normal, mote_error *err) {
  (void)user, (void)k, (void)position, (void)normal;
  *err = (mote_error){.code = MOTE_ERROR_NUMERIC, .text = "no"};
  return MOTE_ERROR_NUMERIC;
}

static mote_result pose_of(void *user, size_t k, double *position, double *normal, mote_error *err) {
  const mote_mesh *mesh = mote_model_mesh(user);
  const double *n = mote_model_normals(user);
  (void)err;
  for (size_t c = 0; c < 3 * mesh->vertices; ++c) {
    position[c] = mesh->vertex[c] + (c % 3 == 1 ? (double)k : 0);
    if (normal != NULL) normal[c] = n[c];
  }
  return MOTE_OK;
}

// The node turns z to y, doubles and moves.
static void test_glb(void) {
  static const char json[] =
      "{\"asset\":{\"version\":\"2.0\"},\"extras\":{\"kept\":[1, 2]}," GLB_LISTS
      ",\"nodes\":[{\"name\":\"node\",\"mesh\":0,\"translation\":[5,0,0],\"scale\":[2,2,2],"
      "\"rotation\":[-0.7071067811865476,0,0,0.7071067811865476]}],\"scenes\":[{\"nodes\":[0]}]}";
  size_t begin = make_glb(json, &glb_rest, "a.glb"), size;
  mote_model *model = open_model("a.glb");
  if (model == NULL) return;
  const mote_mesh *mesh = mote_model_mesh(model);
  CHECK(mesh->vertices == 4 && mote_model_groups(model) == 3);
  CHECK_NEAR(mesh->vertex[9], 5, 1e-15);
  CHECK_NEAR(mesh->vertex[10], 2, 1e-15);
  CHECK_NEAR(mote_model_normals(model)[1], -1, 1e-15);
  write_moved(model, "b.glb", 1);
  const char *text = get_file("b.glb", &size);
  CHECK(strstr(text + 20, "\"extras\":{\"kept\":[1, 2]}") != NULL && strstr(text + 20, "TANGENT") == NULL);
  CHECK(strstr(text + 20, "\"min\":[0.5,-1.5,1],\"max\":[1.5,-0.5,2]") != NULL);
  CHECK(memcmp(text + size - 24, glb_rest.index, 24) == 0 && begin > 28);
  mote_model *again = open_model("b.glb");
  if (again != NULL) {
    for (int k = 0; k < 12; ++k)
      CHECK_NEAR(mote_model_mesh(again)->vertex[k], mesh->vertex[k] + k % 3 + 1, 1e-6);
    CHECK_NEAR(mote_model_normals(again)[0], -1, 1e-6);
    mote_model_destroy(again);
  }
  static const double time[] = {0, 0.5, 2};
  CHECK(mote_model_write_motion(model, time, 3, pose_of, model, "m.glb", &error) == MOTE_OK);
  text = get_file("m.glb", &size) + 20;
  CHECK(strstr(text, "\"targets\":[{\"POSITION\":3,\"NORMAL\":4},{\"POSITION\":5,") != NULL);
  CHECK(strstr(text, "\"weights\":[0,0,0]") != NULL && strstr(text, "\"path\":\"weights\"") != NULL);
  CHECK(strstr(text, "\"count\":9,\"type\":\"SCALAR\"}") != NULL);
  again = open_model("m.glb");
  if (again != NULL) CHECK(mote_model_mesh(again)->vertices == 4);
  if (again != NULL)
    CHECK(mote_model_write_motion(again, time, 3, pose_of, again, "n.glb", &error) != MOTE_OK);
  mote_model_destroy(again);
  mote_model_destroy(model);
}

static bool refused(const char *path, const char *word) {
  mote_model *model = NULL;
  bool ok = mote_model_read(path, NULL, &model, &error) != MOTE_OK && strstr(error.text, word) != NULL;
  if (!ok) fprintf(stderr, "  \"%s\", wanted \"%s\"\n", error.text, word);
  mote_model_destroy(model);
  return ok;
}

static void test_refused(void) {
  static const char json[] =
      "{\"asset\":{\"version\":\"2.0\"}," GLB_LISTS
      ",\"nodes\":[{\"mesh\":0},{\"mesh\":0,\"translation\":[5,0,0]}],\"scenes\":[{\"nodes\":[0,1]}]}";
  make_glb(json, &glb_rest, "c.glb");
  CHECK(refused("c.glb", "mesh \"m\" is shown by several nodes"));
  put_file("v.obj", "v 0 0 0\n", 8);
  CHECK(refused("v.obj", "no triangles"));
  put_file("n.obj", "v 0 nan 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", 34);
  CHECK(refused("n.obj", "not a finite number"));
  CHECK(refused("none.obj", ""));
}

// In other formats: what surfaces hold. A motion of any format is GLB.
static void test_other(void) {
  mote_model *model = open_model("a.obj");
  mote_surface surface;
  static const double time[] = {0, 1};
  if (model == NULL) return;
  write_moved(model, "e.ply", 1);
  if (CHECK(mote_surface_read("e.ply", NULL, &surface, NULL, &error) == MOTE_OK)) {
    CHECK(surface.mesh.vertices == 6 && surface.normal != NULL && surface.mesh.vertex[2] == 3);
    mote_surface_free(&surface, NULL);
  }
  CHECK(mote_model_write_motion(model, time, 2, pose_of, model, "o.glb", &error) == MOTE_OK);
  CHECK(mote_model_write_motion(model, time, 2, pose_of, model, "o.ply", &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_model_write_motion(model, time, 2, no_pose, model, "p.glb", &error) == MOTE_ERROR_NUMERIC);
  CHECK(!kit_exists("p.glb"));
  mote_model_destroy(model);
  model = open_model("o.glb");
  if (model != NULL) CHECK(mote_model_mesh(model)->vertices == 6 && mote_model_normals(model) != NULL);
  mote_model_destroy(model);
}

// Texture coordinates of OBJ stay in GLB: vertex 2 has two of them and becomes two rows, which move together.
static void test_texture(void) {
  static const char text[] =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0.25 0.75\nvt 0.5 0.125\nvt -1 2\n"
      "f 1/1 3/1 2/2\nf 1/1 2/-1 4/1\nf 2/2 3/1 4/1\nf 1/1 4/1 3/1\n";
  static const float expected[5][2] = {
      {0.25f, 0.25f}, {0.25f, 0.25f}, {0.5f, 0.875f}, {-1, -1}, {0.25f, 0.25f}};
  static const double time[] = {0, 1}, many[1] = {0};
  put_file("t.obj", text, sizeof text - 1);
  mote_model *model = open_model("t.obj");
  if (model == NULL) return;
  CHECK(mote_model_write_motion(model, time, 2, pose_of, model, "t.glb", &error) == MOTE_OK);
  size_t size;
  const char *glb = get_file("t.glb", &size), *json = glb + 20;
  CHECK(strstr(json, "\"TEXCOORD_0\":1") != NULL);
  uint32_t length;
  memcpy(&length, glb + 12, 4);
  float row[25];
  memcpy(row, glb + 28 + length, sizeof row);  // positions, then texture coordinates
  CHECK(memcmp(row + 15, expected, sizeof expected) == 0);
  for (int c = 0; c < 3; ++c) CHECK(row[6 + c] == (c == 0) && row[9 + c] == (c == 0));
  mote_model *again = open_model("t.glb");
  if (again != NULL) CHECK(mote_model_mesh(again)->vertices == 5 && mote_model_mesh(again)->triangles == 4);
  mote_model_destroy(again);
  // More than a GLB file can hold is refused before memory is taken.
  CHECK(mote_model_write_motion(model, many, 40000, pose_of, model, "u.glb", &error) == MOTE_ERROR_ARGUMENT);
  CHECK(strstr(error.text, "4 GB") != NULL && !kit_exists("u.glb"));
  mote_model_destroy(model);
}

int main(void) {
  kit_enter();
  test_obj();
  test_plain();
  test_ply();
  test_ply_binary();
  test_glb();
  test_refused();
  test_other();
  test_texture();
  return test_end();
}
