// PLY of others: text and binary of both byte orders, all types, lists, names; what is malformed.
#define _XOPEN_SOURCE 700
#include "io_kit.h"

static mote_error error;

#define PARSE(text, cloud) kit_parse("a.ply", text, sizeof text - 1, cloud, &error)

static void test_ascii(void) {
  static const char text[] =
      "ply\r\nformat ascii 1.0\r\ncomment time 0.25\r\nobj_info from elsewhere\r\nelement edge 2\r\n"
      "property int a\r\nproperty list uchar float w\r\nelement vertex 3\r\nproperty float x\r\nproperty "
      "float y\r\n"
      "property float z\r\nproperty list uchar int links\r\nproperty short vx\r\nproperty short vy\r\n"
      "property short vz\r\nproperty uchar red\r\nend_header\r\n1 2 0.5 0.5\r\n2 0\r\n"
      "0.1 0.2 0.3 0 1 -2 3 255\r\n1 nan -inf 2 7 7 4 5 6 0\r\n 1e40 2 3 1 1 0 0 0 9\r\n";
  mote_cloud cloud;
  if (!CHECK(PARSE(text, &cloud) == MOTE_OK)) return;
  const mote_field_view *x = mote_cloud_find(&cloud, "position"), *v = mote_cloud_find(&cloud, "velocity");
  const mote_field_view *red = mote_cloud_find(&cloud, "red");
  CHECK(cloud.count == 3 && cloud.fields == 3 && cloud.stamp.time == 0.25);
  CHECK(x->type == MOTE_TYPE_F32 && mote_field_value(x, 0, 0) == (double)0.1f);
  CHECK(isnan(mote_field_value(x, 1, 1)) && mote_field_value(x, 1, 2) == -(double)INFINITY);
  CHECK(mote_field_value(x, 2, 0) == (double)INFINITY);
  CHECK(v->type == MOTE_TYPE_I32 && mote_field_value(v, 0, 1) == -2 && mote_field_value(v, 1, 2) == 6);
  CHECK(red->type == MOTE_TYPE_U8 && mote_field_value(red, 0, 0) == 255 && mote_field_value(red, 2, 0) == 9);
  mote_cloud_free(&cloud, NULL);
}

// The same numbers in both byte orders.
static void test_binary(void) {
  for (int big = 0; big < 2; ++big) {
    char text[512];
    int head =
        snprintf(text, sizeof text,
                 "ply\nformat binary_%s_endian 1.0\nelement vertex 2\nproperty double x\nproperty double y\n"
                 "property double z\nproperty list uchar ushort l\nproperty ushort a\nproperty char b\n"
                 "end_header\n",
                 big ? "big" : "little");
    uint8_t *at = (uint8_t *)text + head;
    double x[3] = {1.5, -2, 1e-300};
    for (int row = 0; row < 2; ++row) {
      for (int c = 0; c < 3; ++c, at += 8) {
        memcpy(at, &x[c], 8);
        if (big) mote_raw_swap(at, 8, 1);
      }
      static const uint8_t rest[2][8] = {{1, 9, 9, 1, 2, 0x80}, {1, 9, 9, 2, 1, 0x80}};
      memcpy(at, rest[big], 6);
      at += 6;
    }
    mote_cloud cloud;
    size_t size = (size_t)(at - (uint8_t *)text);
    if (!CHECK(kit_parse("a.ply", text, size, &cloud, &error) == MOTE_OK)) continue;
    for (int c = 0; c < 3; ++c) CHECK(mote_field_value(mote_cloud_find(&cloud, "position"), 1, c) == x[c]);
    CHECK(mote_field_value(mote_cloud_find(&cloud, "a"), 1, 0) == 0x201);
    CHECK(mote_field_value(mote_cloud_find(&cloud, "b"), 1, 0) == -128);
    mote_cloud_free(&cloud, NULL);
    CHECK(kit_parse("a.ply", text, size - 1, &cloud, &error) == MOTE_ERROR_FORMAT);
    CHECK(strstr(error.text, "cut short") != NULL);
  }
}

#define HEAD "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\n"
#define BAD(text, line, column, word) CHECK(kit_refused(PARSE(text, &cloud), &error, line, column, word))

static void test_malformed(void) {
  mote_cloud cloud;
  BAD("plx\n", 0, 0, "begin with ply");
  BAD("ply\nformat ascii 1.0\n", 3, 1, "end_header");
  BAD("ply\nend_header\n", 3, 1, "format");
  BAD("ply\nformat binary 1.0\nend_header\n", 2, 8, "\"binary\"");
  BAD("ply\nformat ascii 1.0\nelemnt vertex 1\n", 3, 1, "\"elemnt\"");
  BAD("ply\nformat ascii 1.0\nproperty float x\n", 3, 9, "before");
  BAD("ply\nformat ascii 1.0\nelement vertex -1\n", 3, 16, "count");
  BAD("ply\nformat ascii 1.0\nelement vertex 1\nproperty flot x\n", 4, 10, "\"flot\"");
  BAD("ply\nformat ascii 1.0\nelement vertex 1\nproperty float\n", 4, 15, "name");
  BAD(HEAD "end_header\n1 2 three\n", 8, 5, "\"three\"");
  BAD(HEAD "end_header\n1 2 \n\n\n\n", 12, 1, "ends");
  BAD("ply\nformat ascii 1.0\nelement face 0\nend_header\n", 0, 0, "vertex");
  BAD("ply\nformat ascii 1.0\nelement vertex 0\nproperty float a\nend_header\n", 0, 0, "positions");
  BAD("ply\nformat ascii 1.0\nelement vertex 100000000000\nproperty float x\nend_header\n1 2 3", 0, 0,
      "cut short");
  BAD("ply\nformat ascii 1.0\nelement vertex 1\nproperty list uchar int a\nproperty float x\nend_header\n-1 "
      "2 3",
      0, 0, "length");
}

static void test_mesh(void) {
  static const char quad[] =
      "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
      "property uchar red\nelement face 2\nproperty int tag\nproperty list uchar int "
      "vertex_indices\nend_header\n"
      "0 0 0 9\n1 0 0 9\n1 1 0 9\n0 1 0 9\n5 4 0 1 2 3\n6 2 0 1\n";
  mote_mesh mesh;
  if (!CHECK(kit_parse_mesh("a.ply", quad, sizeof quad - 1, &mesh, &error) == MOTE_OK)) return;
  static const uint32_t fan[] = {0, 1, 2, 0, 2, 3};
  CHECK(mesh.vertices == 4 && mesh.triangles == 2 && memcmp(mesh.triangle, fan, sizeof fan) == 0);
  CHECK(mesh.vertex[7] == 1);
  mote_mesh_free(&mesh, NULL);
  static const char far[] =
      "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\n"
      "element face 1\nproperty list uchar int vertex_index\nend_header\n0 0 0\n3 0 0 1\n";
  CHECK(kit_refused(kit_parse_mesh("a.ply", far, sizeof far - 1, &mesh, &error), &error, 0, 0,
                    "no such vertex"));
}

int main(void) {
  test_ascii();
  test_binary();
  test_malformed();
  test_mesh();
  return test_end();
}
