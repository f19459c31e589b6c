// USD in text as others write it: prims in prims, time samples, translations, polygons, left hands, colours;
// what is malformed is told with its place.
#define _XOPEN_SOURCE 700
#include "abuse.h"
#include "io_kit.h"

static mote_error error;

static const char quad[] =
    "#usda 1.0\n"
    "(\n"
    "    \"a comment\"\n"
    "    defaultPrim = \"World\"\n"
    "    subLayers = [@./other.usda@, @more.usda@ (offset = 2)]\n"
    "    upAxis = \"Y\"\n"
    ")\n"
    "# another\n"
    "def Xform \"World\" (\n"
    "    prepend apiSchemas = [\"A\"]\n"
    "    variants = { string v = \"a\" }\n"
    ")\n"
    "{\n"
    "    double3 xformOp:translate = (10, 0, 0)\n"
    "    uniform token[] xformOpOrder = [\"xformOp:translate\"]\n"
    "    variantSet \"v\" = { \"a\" { def Mesh \"no\" { } } }\n"
    "    over \"them\" { int[] faceVertexCounts = [1] }\n"
    "    def Mesh \"Quad\"\n"
    "    {\n"
    "        rel material:binding = </World/Looks/a> (bindMaterialAs = \"b\")\n"
    "        custom string note = 'it is { not closed'\n"
    "        int[] faceVertexCounts = [4]\n"
    "        int[] faceVertexIndices = [0, 1, 2, 3]\n"
    "        uniform token orientation = \"leftHanded\"\n"
    "        point3f[] points.timeSamples = {\n"
    "            1: [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)],\n"
    "            2: [(9, 9, 9)],\n"
    "        }\n"
    "        vector3f[] velocities = [(0, 1, 0), (0, 2, 0), (0, 3, 0), (0, 4.5, 0)]\n"
    "        color3f[] primvars:displayColor = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)] (\n"
    "            interpolation = \"vertex\"\n"
    "        )\n"
    "        float[] primvars:heat = [1, 2, 3, -4e-3] (interpolation = \"varying\")\n"
    "        float primvars:one = 3\n"
    "        texCoord2f[] primvars:st = [(0, 0)] (interpolation = \"faceVarying\")\n"
    "    }\n"
    "}\n";

static mote_result parse(const char *text, mote_surface *out) {
  mote_env env = mote_env_default();
  mote_file_content source = {(const uint8_t *)text, strlen(text), "a.usda", &env};
  error = (mote_error){0};
  return mote_surface_parse(&source, out, NULL, &error);
}

static void test_mesh(void) {
  static const uint32_t fan[] = {3, 2, 1, 3, 1, 0};
  mote_surface surface;
  if (!CHECK(parse(quad, &surface) == MOTE_OK)) {
    fprintf(stderr, "  %d:%d %s\n", error.line, error.column, error.text);
    return;
  }
  CHECK(surface.mesh.vertices == 4 && surface.mesh.triangles == 2);
  CHECK(memcmp(surface.mesh.triangle, fan, sizeof fan) == 0);
  CHECK(surface.mesh.vertex[0] == 10 && surface.mesh.vertex[3] == 11 && surface.mesh.vertex[7] == 1);
  CHECK(surface.fields == 3);
  CHECK_TEXT(surface.field[0].name, "velocity");
  CHECK(mote_field_value(&surface.field[0], 3, 1) == 4.5);
  CHECK_TEXT(surface.field[1].name, "colour");
  CHECK(surface.field[1].type == MOTE_TYPE_U8 && mote_field_value(&surface.field[1], 2, 2) == 255);
  CHECK_TEXT(surface.field[2].name, "heat");
  CHECK(mote_field_value(&surface.field[2], 3, 0) == (double)-4e-3f);
  mote_surface_free(&surface, NULL);
}

#define MESH(body) "#usda 1.0\ndef Mesh \"a\"\n{\n" body "}\n"
#define THREE "point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]\n"

// Two meshes are one, without fields.
static void test_two(void) {
  static const char text[] = "#usda 1.0\ndef Mesh \"a\" {\n" THREE
                             "int[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0, 1, 2]\n"
                             "vector3f[] velocities = [(0, 0, 0), (0, 0, 0), (0, 0, 0)]\n}\n"
                             "def Mesh \"b\" {\n" THREE
                             "double3 xformOp:translate:pivot = (0, 0, 5)\n"
                             "int[] faceVertexCounts = [3]\nint[] faceVertexIndices = [2, 1, 0]\n}\n";
  static const uint32_t both[] = {0, 1, 2, 5, 4, 3};
  mote_surface surface;
  if (!CHECK(parse(text, &surface) == MOTE_OK)) return;
  CHECK(surface.mesh.vertices == 6 && surface.mesh.triangles == 2 && surface.fields == 0);
  CHECK(memcmp(surface.mesh.triangle, both, sizeof both) == 0 && surface.mesh.vertex[11] == 5);
  mote_surface_free(&surface, NULL);
}

static void test_points(void) {
  static const char text[] =
      "#usda 1.0\ndef Points \"p\"\n{\n    point3f[] points = [(1, 2, 3), (4, 5, 6)]\n"
      "    int64[] ids = [7, 8]\n    float[] widths = [0.1, 0.1]\n}\n";
  mote_cloud cloud;
  if (!CHECK(kit_parse("a.usda", text, sizeof text - 1, &cloud, &error) == MOTE_OK)) return;
  CHECK(cloud.count == 2 && cloud.fields == 2 && isnan(cloud.stamp.time));
  CHECK(mote_field_value(mote_cloud_find(&cloud, "position"), 1, 2) == 6);
  CHECK(mote_field_value(mote_cloud_find(&cloud, "id"), 1, 0) == 8);
  mote_cloud_free(&cloud, NULL);
  mote_surface surface;
  CHECK(kit_refused(parse(text, &surface), &error, 0, 0, "no prim of type Mesh"));
  CHECK(kit_refused(kit_parse("a.usda", quad, sizeof quad - 1, &cloud, &error), &error, 0, 0,
                    "no prim of type Points"));
}

#define BAD(text, line, column, word) CHECK(kit_refused(parse(text, &surface), &error, line, column, word))

static void test_malformed(void) {
  mote_surface surface;
  BAD("PXR-USDC", 0, 0, "#usda");
  BAD("#usda 1.0\nhello\n", 2, 1, "begins no prim");
  BAD("#usda 1.0\ndef Mesh a {}\n", 2, 10, "without a name");
  BAD("#usda 1.0\ndef Mesh \"a\" {\n", 3, 1, "should stand here");
  BAD("#usda 1.0\n(\n    a = \"b\n", 3, 9, "does not end");
  BAD(MESH(THREE "int[] faceVertexCounts = [3]\n"), 6, 2, "without faceVertexIndices");
  BAD(MESH("int[] faceVertexCounts = [3}\n"), 4, 28, "closes nothing");
  BAD(MESH("point3f[] points = [(0, zero, 0)]\n"), 4, 25, "\"zero\"");
  BAD(MESH("point3f[] points = [(0, 0)]\n"), 4, 20, "2 numbers");
  BAD(MESH("double xformOp:rotateX = 9\n"), 4, 8, "translations");
  BAD(MESH(THREE "int[] faceVertexCounts = [4]\nint[] faceVertexIndices = [0, 1, 2]\n"), 5, 26,
      "more corners");
  BAD(MESH(THREE "int[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0, 1, 3]\n"), 6, 27,
      "no vertex 3");
  BAD(MESH(THREE "int[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0, 1, 2]\n"
                 "vector3f[] velocities = [(0, 1, 0)]\n"),
      7, 25, "3 numbers for 3 points");
  static char deep[400] = "#usda 1.0\n";
  for (int k = 0; k < 30; ++k) strcat(deep, "def \"a\" {\n");
  BAD(deep, 32, 1, "should stand here");
}

int main(void) {
  test_mesh();
  test_two();
  test_points();
  test_malformed();
  return test_end();
}
