// Tables of others: separators, quotes, line ends, names or none; what is malformed is told with its place.
#define _XOPEN_SOURCE 700
#include "io_kit.h"

static mote_error error;

#define PARSE(name, text, cloud) kit_parse(name, text, sizeof text - 1, cloud, &error)

// The value of a field, by name, row and component; NaN when it is not there.
static double value(const mote_cloud *cloud, const char *name, size_t row, int component) {
  const mote_field_view *field = mote_cloud_find(cloud, name);
  return field != NULL && component < field->components ? mote_field_value(field, row, component)
                                                        : (double)NAN;
}

static void test_styles(void) {
  static const char *const texts[] = {
      "x,y,z,temperature\n1,2,3,4\n5,6,7,8\n",
      "\xef\xbb\xbf\"x\" ; \"y\";z;temperature\r\n1;2; 3 ;4\r\n\r\n5;\"6\";7;8",
      "# by someone\nX\tY\tZ\ttemperature\n1\t2\t3\t4\n# half\n5\t6\t7\t8\n",
      "temperature Points_0 Points_1 Points_2\n 4 1  2 3\n8 5 6 7\n",
      "temperature,\"Points:0\",\"Points:1\",\"Points:2\"\r4,1,2,3\r8,5,6,7\r",
      "temperature,position.x,position.y,position.z\n4,1e0,+2.0,3\n8,5,6,7\n"};
  for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k) {
    mote_cloud cloud;
    if (!CHECK(kit_parse("a.csv", texts[k], strlen(texts[k]), &cloud, &error) == MOTE_OK)) {
      fprintf(stderr, "  %zu: %d:%d %s\n", k, error.line, error.column, error.text);
      continue;
    }
    CHECK(cloud.count == 2 && cloud.fields == 2 && isnan(cloud.stamp.time));
    CHECK(value(&cloud, "position", 0, 2) == 3 && value(&cloud, "position", 1, 0) == 5);
    CHECK(value(&cloud, "temperature", 0, 0) == 4 && value(&cloud, "temperature", 1, 0) == 8);
    mote_cloud_free(&cloud, NULL);
  }
}

static void test_plain(void) {
  mote_cloud cloud;
  CHECK(PARSE("a.xyz", "1 2 3 9\n4 5 6 8\n", &cloud) == MOTE_OK);
  CHECK(cloud.count == 2 && value(&cloud, "position", 1, 1) == 5 && value(&cloud, "column_4", 1, 0) == 8);
  mote_cloud_free(&cloud, NULL);
  CHECK(PARSE("a.csv", "x,y\n1,2\n", &cloud) == MOTE_OK);
  CHECK(value(&cloud, "position", 0, 1) == 2 && value(&cloud, "position", 0, 2) == 0);
  mote_cloud_free(&cloud, NULL);
  CHECK(PARSE("a.csv", "x,y,z,a,b_0,b_1\n1,2,3,,nan,-inf\n", &cloud) == MOTE_OK);
  CHECK(isnan(value(&cloud, "a", 0, 0)) && isnan(value(&cloud, "b", 0, 0)));
  CHECK(value(&cloud, "b", 0, 1) == -(double)INFINITY);
  mote_cloud_free(&cloud, NULL);
}

#define BAD(text, line, column, word) \
  CHECK(kit_refused(PARSE("a.csv", text, &cloud), &error, line, column, word))

static void test_malformed(void) {
  mote_cloud cloud;
  BAD("x,y,z\n1,2,3\n4,five,6\n", 3, 3, "\"five\"");
  BAD("x,y,z\n1,2\n", 2, 1, "2 columns in this line, not 3");
  BAD("# a\n\nx,y,z\n1,2,3,4\n", 4, 7, "more than 3");
  BAD("x;y;z\n1;2,5;3\n", 2, 3, "\"2,5\"");
  BAD("a,b,c\n1,2,3\n", 0, 0, "positions");
  BAD("# nothing\n\n", 0, 0, "no line");
  BAD("a,a\n1,2\n", 0, 0, "two fields");
}

static void test_units(void) {
  mote_cloud cloud;
  CHECK(PARSE("a.csv",
              "# mote 0.1.0\n# time 2.5\n# step 7\n# field id u64 1 \n# field v f32 1 m/s\nid,x,y,z,v\n"
              "18446744073709551615,1,2,3,0.1\n",
              &cloud) == MOTE_OK);
  const mote_field_view *id = mote_cloud_find(&cloud, "id"), *v = mote_cloud_find(&cloud, "v");
  CHECK(id->type == MOTE_TYPE_U64 && *(const uint64_t *)id->data == UINT64_MAX);
  CHECK(v->type == MOTE_TYPE_F32 && *(const float *)v->data == 0.1f && strcmp(v->unit, "m/s") == 0);
  CHECK(cloud.stamp.time == 2.5 && cloud.stamp.step == 7 && strcmp(cloud.stamp.version, "0.1.0") == 0);
  mote_cloud_free(&cloud, NULL);
}

// Units behind names, as DualSPHysics has them; molecules.
static void test_others(void) {
  static const char dual[] =
      "Pos.x [m];Pos.y [m];Pos.z [m];Vel.x [m/s];Vel.y [m/s];Vel.z [m/s];Rhop [kg/m^3]\n1;2;3;4;5;6;7\n";
  static const char molecule[] = "2\nwater, or so\nO 1 2 3\nH 4 5 6\n", bare[] = "1\n\n1 2 3\n",
                    plain[] = "1 2 3\n4 5 6\n";
  mote_cloud cloud;
  mote_error told;
  if (CHECK(kit_parse("a.csv", dual, sizeof dual - 1, &cloud, &told) == MOTE_OK)) {
    const mote_field_view *x = mote_cloud_find(&cloud, "position"), *v = mote_cloud_find(&cloud, "velocity"),
                          *rho = mote_cloud_find(&cloud, "Rhop");
    CHECK(x != NULL && mote_field_value(x, 0, 2) == 3 && v != NULL && mote_field_value(v, 0, 2) == 6);
    CHECK(rho != NULL && mote_field_value(rho, 0, 0) == 7);
    mote_cloud_free(&cloud, NULL);
  }
  if (CHECK(kit_parse("a.xyz", molecule, sizeof molecule - 1, &cloud, &told) == MOTE_OK)) {
    CHECK(cloud.count == 2 && mote_field_value(mote_cloud_find(&cloud, "position"), 1, 0) == 4);
    mote_cloud_free(&cloud, NULL);
  }
  if (CHECK(kit_parse("a.xyz", bare, sizeof bare - 1, &cloud, &told) == MOTE_OK)) {
    CHECK(cloud.count == 1);
    mote_cloud_free(&cloud, NULL);
  }
  if (CHECK(kit_parse("a.xyz", plain, sizeof plain - 1, &cloud, &told) == MOTE_OK)) {
    CHECK(cloud.count == 2);
    mote_cloud_free(&cloud, NULL);
  }
}

int main(void) {
  test_styles();
  test_plain();
  test_malformed();
  test_units();
  test_others();
  return test_end();
}
