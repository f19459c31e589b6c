// Clouds written and read again in every format; what the formats cannot hold; misuse.
#define _XOPEN_SOURCE 700
#include "abuse.h"
#include "io_kit.h"

static mote_error error;

static bool same_stamp(const mote_stamp *a, const mote_stamp *b) {
  return strcmp(a->version, b->version) == 0 && a->scene_hash == b->scene_hash && a->step == b->step &&
         (a->time == b->time || (isnan(a->time) && isnan(b->time)));
}

// All fields that `kept` names come back the same, with their units.
static void check_round_trip(const char *path, const kit_cloud *kit, const char *kept, bool units) {
  mote_cloud back;
  if (!CHECK(mote_cloud_write(&kit->cloud, path, &error) == MOTE_OK)) fprintf(stderr, "  %s\n", error.text);
  CHECK(!kit_exists("cloud.part"));
  if (!CHECK(mote_cloud_read(path, NULL, &back, &error) == MOTE_OK)) {
    fprintf(stderr, "  %s: %s:%d:%d %s\n", path, error.file, error.line, error.column, error.text);
    return;
  }
  CHECK(back.count == kit->cloud.count && same_stamp(&back.stamp, &kit->cloud.stamp));
  for (int k = 0; k < kit->cloud.fields; ++k) {
    const mote_field_view *field = &kit->cloud.field[k], *read = mote_cloud_find(&back, field->name);
    if (strstr(kept, field->name) == NULL) continue;
    if (!CHECK(kit_same_field(field, read))) fprintf(stderr, "  %s: %s\n", path, field->name);
    if (units && read != NULL) CHECK_TEXT(read->unit, field->unit);
  }
  mote_cloud_free(&back, NULL);
  CHECK(back.fields == 0);
}

static const char all[] = "id position velocity density stress body flag layer";

static void test_round_trips(void) {
  size_t counts[] = {0, 1, 2, 500};
  for (int k = 0; k < 4; ++k) {
    kit_cloud *kit = kit_make(counts[k], k == 3);
    check_round_trip("a.vtp", kit, all, true);
    check_round_trip("a.vtu", kit, all, true);
    check_round_trip("a.ply", kit, all, true);
    check_round_trip("a.ply.gz", kit, all, true);
    check_round_trip("a.xyz", kit, counts[k] > 0 ? "position" : "", false);
    check_round_trip("a.bgeo", kit, "velocity density layer", false);
    check_round_trip("a.usda", kit, "id velocity density stress body flag layer", true);
    check_round_trip("a.usda.gz", kit, "id velocity density stress body flag layer", true);
    check_round_trip("a.bgeo.gz", kit, "velocity density layer", false);
    free(kit);
  }
}

// CSV has names and rows, and nothing besides: values come back, units and the time do not.
static void test_csv(void) {
  kit_cloud *kit = kit_make(20, false);
  mote_cloud back;
  char line[4000];
  int lines = 0;
  kit->cloud.stamp.time = 0.5;
  CHECK(mote_cloud_write(&kit->cloud, "a.csv", &error) == MOTE_OK);
  FILE *file = fopen("a.csv", "r");
  for (; file != NULL && fgets(line, sizeof line, file) != NULL; ++lines) CHECK(strchr(line, '#') == NULL);
  if (file != NULL) fclose(file);
  CHECK(lines == 21);
  if (CHECK(mote_cloud_read("a.csv", NULL, &back, &error) == MOTE_OK)) {
    CHECK(back.count == 20 && isnan(back.stamp.time));
    for (int k = 0; k < kit->cloud.fields; ++k) {
      const mote_field_view *field = &kit->cloud.field[k], *read = mote_cloud_find(&back, field->name);
      if (!CHECK(read != NULL && read->components == field->components)) continue;
      for (size_t i = 0; i < 20; ++i)
        for (int c = 0; c < field->components; ++c) {
          double value = mote_field_value(field, i, c), again = mote_field_value(read, i, c);
          CHECK(fabs(value - again) <= 1e-6 * fabs(value) || (isnan(value) && isnan(again)) ||
                value == again);
        }
    }
    mote_cloud_free(&back, NULL);
  }
  free(kit);
}

// Without version and time nothing of them is written, and none is read.
static void test_no_stamp(void) {
  const char *paths[] = {"n.vtp", "n.vtu", "n.ply", "n.bgeo", "n.usda"};
  kit_cloud *kit = kit_make(4, false);
  kit->cloud.stamp = (mote_stamp){.time = (double)NAN};
  for (int k = 0; k < 5; ++k) check_round_trip(paths[k], kit, "velocity", false);
  free(kit);
}

// Positions become float in BGEO, ids 32-bit; beyond 2^32 they lose their high bits.
static void test_bgeo_loss(void) {
  kit_cloud *kit = kit_make(5, false);
  mote_cloud back;
  kit->id[4] = ((uint64_t)1 << 32) + 5;
  CHECK(mote_cloud_write(&kit->cloud, "b.bgeo", &error) == MOTE_OK);
  CHECK(mote_cloud_read("b.bgeo", NULL, &back, &error) == MOTE_OK);
  const mote_field_view *x = mote_cloud_find(&back, "position"), *id = mote_cloud_find(&back, "id");
  CHECK(x->type == MOTE_TYPE_F32 && id->type == MOTE_TYPE_I32);
  for (size_t i = 0; i < 5; ++i)
    for (int c = 0; c < 3; ++c)
      CHECK(mote_field_value(x, i, c) == (double)(float)kit->position[3 * i + (size_t)c]);
  for (size_t i = 0; i < 4; ++i) CHECK(mote_field_value(id, i, 0) == (double)kit->id[i]);
  CHECK(mote_field_value(id, 4, 0) == 5);
  mote_cloud_free(&back, NULL);
  free(kit);
}

// PLY has no 64-bit integers: exact to 2^53.
static void test_ply_ids(void) {
  kit_cloud *kit = kit_make(5, false);
  kit->id[2] = ((uint64_t)1 << 53) - 1;
  check_round_trip("ids.ply", kit, "id", false);
  free(kit);
}

static void test_misuse(void) {
  kit_cloud *kit = kit_make(5, false);
  mote_cloud cloud = kit->cloud, back;
  REFUSED(mote_cloud_write(NULL, "a.vtp", &error), ARGUMENT, "null");
  REFUSED(mote_cloud_write(&cloud, "a.doc", &error), ARGUMENT, "vtp");
  REFUSED(mote_cloud_write(&cloud, "a.vtk", &error), ARGUMENT, "written");
  REFUSED(mote_cloud_read("a.doc", NULL, &back, &error), ARGUMENT, "vtk");
  REFUSED(mote_cloud_read("missing.vtp", NULL, &back, &error), FILE, "No such file");
  CHECK_TEXT(error.file, "missing.vtp");
  REFUSED(mote_cloud_write(&cloud, "missing/a.vtp", &error), FILE, "No such file");
  cloud.field[2].count = 4;
  REFUSED(mote_cloud_write(&cloud, "a.vtp", &error), ARGUMENT, "velocity");
  cloud = kit->cloud;
  cloud.field[1].name = "place";
  REFUSED(mote_cloud_write(&cloud, "a.vtp", &error), ARGUMENT, "position");
  cloud = kit->cloud;
  cloud.field[0].components = 0;
  REFUSED(mote_cloud_write(&cloud, "a.vtp", &error), ARGUMENT, "components");
  CHECK(strcmp(mote_cloud_endings(true)[0], "vtp") == 0 && mote_cloud_endings(false)[9] == NULL);
  free(kit);
}

static const char *read_path;

static mote_result read_once(const mote_env *env) {
  mote_cloud back;
  mote_result result = mote_cloud_read(read_path, env, &back, &error);
  if (result == MOTE_OK) mote_cloud_free(&back, env);
  return result;
}

static void test_memory(void) {
  const char *paths[] = {"m.vtp", "m.vtu", "m.ply", "m.csv", "m.bgeo", "m.bgeo.gz"};
  kit_cloud *kit = kit_make(20, false);
  for (int k = 0; k < 6; ++k) {
    read_path = paths[k];
    CHECK(mote_cloud_write(&kit->cloud, read_path, &error) == MOTE_OK);
    abuse_exhaust(read_path, read_once, &error);
  }
  free(kit);
}

// Every file cut at any byte is refused or, behind the values, read; nothing is allocated for what lacks.
static void test_cut(void) {
  const char *paths[] = {"m.vtp", "m.vtu", "m.ply", "m.bgeo"};
  for (int k = 0; k < 4; ++k) {
    static char bytes[1 << 16];
    FILE *file = fopen(paths[k], "rb");
    size_t size = fread(bytes, 1, sizeof bytes, file), refused = 0;
    fclose(file);
    for (size_t cut = 0; cut < size; cut += 1 + size / 300) {
      mote_cloud back;
      mote_result result = kit_parse(paths[k], bytes, cut, &back, &error);
      if (result == MOTE_OK)
        mote_cloud_free(&back, NULL);
      else
        CHECK(result == MOTE_ERROR_FORMAT);
      refused += result != MOTE_OK;
    }
    CHECK(refused > 250);
  }
}

// Heads that claim what is not there: refused before memory is taken for it.
static void test_claims(void) {
  static const struct {
    const char *name, *text;
    size_t size;
  } claims[] = {
#define CLAIM(name, text) {name, text, sizeof text - 1}
      CLAIM("a.ply", "ply\nformat ascii 1.0\nelement vertex 90000000\nproperty float x\nend_header\n1 2 3\n"),
      CLAIM("a.ply",
            "ply\nformat binary_little_endian 1.0\nelement vertex 9000000000000000000\nproperty float x\n"
            "end_header\n1234"),
      CLAIM("a.bgeo",
            "BgeoV\0\0\0\5\x7f\xff\xff\xff\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
      CLAIM("a.vtp",
            "<VTKFile type=\"PolyData\"><Piece NumberOfPoints=\"100\"><Points><DataArray type=\"Float64\" "
            "NumberOfComponents=\"255\" format=\"binary\">AAAA</DataArray></Points></Piece></VTKFile>"),
      CLAIM("a.vtp",
            "<VTKFile type=\"PolyData\" compressor=\"vtkZLibDataCompressor\"><Piece "
            "NumberOfPoints=\"99999999\"><Points/></Piece></VTKFile>"),
      CLAIM("a.vtk", "# vtk DataFile Version 3.0\nt\nBINARY\nDATASET POLYDATA\nPOINTS 80 double\n1234"),
      CLAIM("a.csv", "x,y,z\n1\n1\n1\n1\n1\n"),
  };
  for (size_t k = 0; k < sizeof claims / sizeof *claims; ++k) {
    abuse_memory memory;
    mote_env env = abuse_env(&memory, -1);
    mote_file_content source = {(const uint8_t *)claims[k].text, claims[k].size, claims[k].name, &env};
    mote_cloud cloud;
    CHECK(mote_cloud_parse(&source, &cloud, &error) == MOTE_ERROR_FORMAT);
    CHECK(memory.bytes == 0 && memory.most < 400000);  // PLY and CSV begin with tables of 1024 columns
  }
}

int main(void) {
  kit_enter();
  test_round_trips();
  test_csv();
  test_no_stamp();
  test_bgeo_loss();
  test_ply_ids();
  test_misuse();
  test_memory();
  test_cut();
  test_claims();
  return test_end();
}
