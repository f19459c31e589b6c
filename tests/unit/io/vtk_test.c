// VTK files of others: pieces, codings, nested keys, the older format; what is malformed. Files that VTK
// itself wrote in all codings are in tests/fuzz/corpus/cloud.
#define _XOPEN_SOURCE 700
#include "io_kit.h"

static mote_error error;

#define PARSE(name, text, cloud) kit_parse(name, text, sizeof text - 1, cloud, &error)

static double value(const mote_cloud *cloud, const char *name, size_t row, int component) {
  const mote_field_view *field = mote_cloud_find(cloud, name);
  return field != NULL && component < field->components ? mote_field_value(field, row, component)
                                                        : (double)NAN;
}

static const char ascii[] =
    "<?xml version=\"1.0\"?><!-- by hand -->\n"
    "<VTKFile type='PolyData' version=\"0.1\" byte_order=\"BigEndian\">\n <PolyData>\n  <FieldData>\n"
    "   <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\"> 0.5 "
    "</DataArray>\n"
    "   <Array type=\"String\" Name=\"who\">109 101 0</Array>\n  </FieldData>\n"
    "  <Piece NumberOfPoints=\"2\" NumberOfVerts=\"0\">\n   <PointData Scalars=\"a\">\n"
    "    <DataArray type=\"Int64\" Name=\"a &lt;b&gt;\" format=\"ascii\">-7\n 8</DataArray>\n"
    "    <DataArray type=\"UInt16\" Name=\"c\" NumberOfComponents=\"2\">1 2 3 4</DataArray>\n   "
    "</PointData>\n"
    "   <CellData><DataArray type=\"Float32\" Name=\"no\">1 2</DataArray></CellData>\n   <Points>\n"
    "    <DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">\n"
    "     <InformationKey name=\"UNITS_LABEL\" location=\"vtkDataArray\"> m </InformationKey>\n"
    "     <InformationKey name=\"L2_NORM_RANGE\" length=\"2\"><Value index=\"0\"> 9 "
    "</Value></InformationKey>\n"
    "     0 1 2 3.5 nan 5\n    </DataArray>\n   </Points>\n  </Piece>\n"
    "  <Piece NumberOfPoints=\"0\"/>\n"
    "  <Piece NumberOfPoints=\"1\"><Points><DataArray type=\"Float32\" NumberOfComponents=\"3\">6 7 "
    "8</DataArray></Points>\n"
    "   <PointData><DataArray type=\"Int64\" Name=\"a &lt;b&gt;\">9</DataArray>"
    "<DataArray type=\"UInt16\" Name=\"c\" NumberOfComponents=\"2\">5 6</DataArray></PointData></Piece>\n"
    " </PolyData>\n</VTKFile>\n";

static void test_ascii(void) {
  mote_cloud cloud;
  if (!CHECK(PARSE("a.vtp", ascii, &cloud) == MOTE_OK)) {
    fprintf(stderr, "  %d:%d %s\n", error.line, error.column, error.text);
    return;
  }
  CHECK(cloud.count == 3 && cloud.fields == 3 && cloud.stamp.time == 0.5 && cloud.stamp.version[0] == 0);
  CHECK(value(&cloud, "position", 1, 0) == 3.5 && isnan(value(&cloud, "position", 1, 1)));
  CHECK(value(&cloud, "position", 2, 2) == 8);
  CHECK(value(&cloud, "a <b>", 0, 0) == -7 && value(&cloud, "a <b>", 2, 0) == 9);
  CHECK(value(&cloud, "c", 1, 1) == 4 && value(&cloud, "c", 2, 0) == 5);
  mote_cloud_free(&cloud, NULL);
}

// "AAAA..." is zeros in base64; the head says how many bytes follow it.
static void test_base64(void) {
  mote_cloud cloud;
  static const char text[] =
      "<VTKFile type=\"UnstructuredGrid\" byte_order=\"LittleEndian\"><UnstructuredGrid>"
      "<Piece NumberOfPoints=\"1\" NumberOfCells=\"0\"><Points><DataArray type=\"Float32\" "
      "NumberOfComponents=\"3\" format=\"binary\">\nDAAAAAAAgD8AAABAAABAQA==\n</DataArray></Points></Piece>"
      "</UnstructuredGrid></VTKFile>";
  if (!CHECK(PARSE("a.vtu", text, &cloud) == MOTE_OK)) return;
  for (int c = 0; c < 3; ++c) CHECK(value(&cloud, "position", 0, c) == c + 1);
  mote_cloud_free(&cloud, NULL);
}

static const char legacy[] =
    "# vtk DataFile Version 3.0\nby hand\nASCII\nDATASET POLYDATA\nFIELD FieldData 1\nTIME 1 1 double\n0.75\n"
    "POINTS 2 float\n0 1 2\n3 4 5\nVERTICES 2 4\n1 0\n1 1\nCELL_DATA 2\nSCALARS c int\nLOOKUP_TABLE "
    "default\n8 9\n"
    "POINT_DATA 2\nSCALARS Rhop float 1\nLOOKUP_TABLE default\n1000\n1001\nVECTORS Vel float\n1 2 3 4 5 6\n"
    "FIELD FieldData 2\nIdp 1 2 unsigned_int\n7 8\nodd%20name 2 2 short\n-1 2 -3 4\nMETADATA\nINFORMATION "
    "0\n\n";

static void test_legacy(void) {
  mote_cloud cloud;
  if (!CHECK(PARSE("a.vtk", legacy, &cloud) == MOTE_OK)) {
    fprintf(stderr, "  %d:%d %s\n", error.line, error.column, error.text);
    return;
  }
  CHECK(cloud.count == 2 && cloud.fields == 5 && cloud.stamp.time == 0.75);
  CHECK(value(&cloud, "position", 1, 2) == 5 && value(&cloud, "Rhop", 1, 0) == 1001);
  CHECK(value(&cloud, "Vel", 1, 0) == 4 && value(&cloud, "Idp", 0, 0) == 7);
  CHECK(value(&cloud, "odd name", 1, 0) == -3);
  mote_cloud_free(&cloud, NULL);
}

static void test_legacy_binary(void) {
  static const char text[] =
      "# vtk DataFile Version 4.2\nt\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 1 float\n"
      "\x3f\x80\x00\x00\x40\x00\x00\x00\x40\x40\x00\x00\nCELLS 1 2\n\x00\x00\x00\x01\x00\x00\x00\x00\n"
      "CELL_TYPES 1\n\x00\x00\x00\x01\nPOINT_DATA 1\nSCALARS k int\nLOOKUP_TABLE default\n\xff\xff\xff\xfe\n";
  mote_cloud cloud;
  if (!CHECK(PARSE("a.vtk", text, &cloud) == MOTE_OK)) return;
  for (int c = 0; c < 3; ++c) CHECK(value(&cloud, "position", 0, c) == c + 1);
  CHECK(value(&cloud, "k", 0, 0) == -2);
  mote_cloud_free(&cloud, NULL);
}

#define BAD(name, text, line, column, word) \
  CHECK(kit_refused(PARSE(name, text, &cloud), &error, line, column, word))
#define OPEN "<VTKFile type=\"PolyData\"><PolyData>\n<Piece NumberOfPoints=\"1\">"

static void test_malformed(void) {
  mote_cloud cloud;
  BAD("a.vtp", "plain text", 0, 0, "<VTKFile>");
  BAD("a.vtp", "<html></html>", 1, 7, "<VTKFile>");
  BAD("a.vtp", "<VTKFile type=\"ImageData\">", 1, 27, "another type");
  BAD("a.vtp", "<VTKFile type=\"PolyData\" compressor=\"vtkLZ4DataCompressor\">", 1, 60, "vtkLZ4");
  BAD("a.vtp", "<VTKFile type=\"PolyData\">", 0, 0, "no piece");
  BAD("a.vtp", "<VTKFile type=\"PolyData\"><Piece>", 1, 33, "NumberOfPoints");
  BAD("a.vtp", OPEN, 0, 0, "positions");
  BAD("a.vtp", OPEN "<Points", 2, 34, "not closed");
  BAD("a.vtp", OPEN "<Points><DataArray type=\"Float16\"/>", 2, 62, "unknown type");
  BAD("a.vtp", OPEN "<Points><DataArray type=\"Float32\">1 2</DataArray>", 2, 61, "cut short");
  BAD("a.vtp", OPEN "<Points><DataArray type=\"Float32\">1 2 x</DataArray>", 2, 65, "\"x\"");
  BAD("a.vtp", OPEN "<Points><DataArray type=\"Float32\" format=\"appended\"/>", 2, 80, "offset");
  BAD("a.vtp", OPEN "<Points><DataArray type=\"Float32\" format=\"appended\" offset=\"5\"/>", 2, 91,
      "cut short");
  BAD("a.vtp", "<VTKFile type=\"PolyData\"><Piece NumberOfPoints=\"99999999999\">", 0, 0, "cut short");
  BAD("a.vtk", "# vtk", 0, 0, "begin with");
  BAD("a.vtk", "# vtk DataFile Version 3.0\nt\nASCI\n", 3, 1, "ASCII or BINARY");
  BAD("a.vtk", "# vtk DataFile Version 3.0\nt\nASCII\nDATASET STRUCTURED_POINTS\n", 4, 9, "another type");
  BAD("a.vtk", "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINT 1 float\n", 5, 1, "\"POINT\"");
  BAD("a.vtk", "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 1 float\n1 2", 6, 1,
      "cut short");
  BAD("a.vtk", "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 1 half\n1 2 3", 5, 10,
      "\"half\"");
  BAD("a.vtk", "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 9999999 float\n1", 5, 8,
      "count");
}

static void test_grid_and_series(void) {
  float p[24];
  for (int k = 0; k < 24; ++k) p[k] = (float)k / 3;
  mote_grid_samples grid = {.size = {2, 3, 4}, .origin = {1, 2, 3}, .spacing = {0.5, 0.25, 1}, .fields = 1};
  grid.field[0] = (mote_field_view){"p", "Pa", MOTE_TYPE_F32, 1, 24, p};
  grid.stamp = (mote_stamp){"0.1.0", 1, 0.5, 2, 0.02, 1.125};
  CHECK(mote_grid_samples_write(&grid, "l.vti", &error) == MOTE_OK);
  CHECK(mote_grid_samples_write(&grid, "l.csv", &error) == MOTE_OK);
  mote_cloud cloud;
  CHECK(mote_cloud_read("l.csv", NULL, &cloud, &error) == MOTE_OK && cloud.count == 24);
  CHECK(value(&cloud, "position", 9, 0) == 1.5 && value(&cloud, "position", 9, 1) == 2.25);
  CHECK(value(&cloud, "position", 9, 2) == 4 && value(&cloud, "p", 9, 0) == (double)p[9]);
  mote_cloud_free(&cloud, NULL);
  grid.size[2] = 5;
  CHECK(mote_grid_samples_write(&grid, "l.vti", &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_grid_samples_write(&grid, "l.png", &error) == MOTE_ERROR_ARGUMENT);
  const char *names[] = {"run.0001.vtp", "a&b\".vtp"};
  double times[] = {0, 1.0 / 24};
  char text[512] = {0};
  CHECK(mote_series_write("s.pvd", names, times, 2, &error) == MOTE_OK);
  FILE *file = fopen("s.pvd", "rb");
  CHECK(file != NULL && fread(text, 1, sizeof text - 1, file) > 0);
  fclose(file);
  CHECK(strstr(text, "<DataSet timestep=\"0\" part=\"0\" file=\"run.0001.vtp\"/>") != NULL);
  CHECK(strstr(text, "timestep=\"0.041666666666666664\" part=\"0\" file=\"a&amp;b&quot;.vtp\"/>") != NULL);
}

// Polygons, quadrangles and strips of both kinds of files; points of later pieces come behind.
static void test_meshes(void) {
  static const char older[] =
      "# vtk DataFile Version 3.0\nx\nASCII\nDATASET POLYDATA\nPOINTS 5 float\n0 0 0 1 0 0 1 1 0 0 1 0 0 0 "
      "1\n"
      "POLYGONS 2 9\n4 0 1 2 3\n3 0 1 4\nTRIANGLE_STRIPS 1 5\n4 0 1 3 2\n"
      "POINT_DATA 5\nSCALARS heat float\nLOOKUP_TABLE default\n1 2 3 4 5\n";
  static const char newer[] =
      "<VTKFile type=\"PolyData\"><PolyData><Piece NumberOfPoints=\"3\" NumberOfPolys=\"1\"><Points>"
      "<DataArray type=\"Float32\" NumberOfComponents=\"3\">0 0 0 1 0 0 0 1 0</DataArray></Points><Polys>"
      "<DataArray type=\"Int64\" Name=\"connectivity\">0 1 2</DataArray><DataArray type=\"Int64\" "
      "Name=\"offsets\">3</DataArray></Polys></Piece><Piece NumberOfPoints=\"3\" NumberOfPolys=\"1\"><Points>"
      "<DataArray type=\"Float32\" NumberOfComponents=\"3\">0 0 1 1 0 1 0 1 1</DataArray></Points><Polys>"
      "<DataArray type=\"Int32\" Name=\"connectivity\">0 2 1</DataArray><DataArray type=\"Int32\" "
      "Name=\"offsets\">3</DataArray></Polys></Piece></PolyData></VTKFile>";
  static const uint32_t fans[] = {0, 1, 2, 0, 2, 3, 0, 1, 4, 0, 1, 3, 1, 2, 3}, two[] = {0, 1, 2, 3, 5, 4};
  mote_mesh mesh;
  if (CHECK(kit_parse_mesh("a.vtk", older, sizeof older - 1, &mesh, &error) == MOTE_OK)) {
    CHECK(mesh.vertices == 5 && mesh.triangles == 5 && memcmp(mesh.triangle, fans, sizeof fans) == 0);
    mote_mesh_free(&mesh, NULL);
  }
  if (CHECK(kit_parse_mesh("a.vtp", newer, sizeof newer - 1, &mesh, &error) == MOTE_OK)) {
    CHECK(mesh.vertices == 6 && mesh.triangles == 2 && memcmp(mesh.triangle, two, sizeof two) == 0);
    mote_mesh_free(&mesh, NULL);
  }
  char wrong[sizeof newer];
  memcpy(wrong, newer, sizeof newer);
  *strstr(wrong, "0 2 1") = '3';
  CHECK(kit_parse_mesh("a.vtp", wrong, sizeof wrong - 1, &mesh, &error) == MOTE_ERROR_FORMAT);
  CHECK(strstr(error.text, "no such point") != NULL);
}

int main(void) {
  kit_enter();
  test_ascii();
  test_base64();
  test_legacy();
  test_legacy_binary();
  test_malformed();
  test_grid_and_series();
  test_meshes();
  return test_end();
}
