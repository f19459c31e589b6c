// Previews: spheres where geometry says, the nearer before the farther, far from the origin as near it, what
// is not finite or behind the camera left out, discs of the right area, wrong arguments, short memory.
#include <mote/numeric.h>

#include "preview_page.h"
#include "stingy.h"

static const mote_colour RED = {220, 30, 30, 255}, GREEN = {30, 200, 30, 255};
static const double NONE = (double)NAN;

// Seen from distance d a sphere reaches to the slope r/sqrt(d^2 - r^2), more than r/d.
static void a_sphere_has_its_outline(void) {
  const double at[3] = {0, 0, 0};
  mote_preview_def def = front(400, 300);
  mote_preview_scene scene = balls(at, 1, 1);
  mote_image *image = draw(&def, &scene);
  double per = 150 * mote_cos(0.3) / mote_sin(0.3), reach = per / sqrt(24);
  int left = 0, right = 399, top = 0, bottom = 299;
  while (left < 400 && is_background(image, &def, left, 150)) ++left;
  while (right > 0 && is_background(image, &def, right, 150)) --right;
  while (top < 300 && is_background(image, &def, 200, top)) ++top;
  while (bottom > 0 && is_background(image, &def, 200, bottom)) --bottom;
  CHECK_NEAR(left, 200 - reach, 1.01);
  CHECK_NEAR(right + 1, 200 + reach, 1.01);
  CHECK_NEAR(top, 150 - reach, 1.01);
  CHECK_NEAR(bottom + 1, 150 + reach, 1.01);
  CHECK_NEAR(covered(image, &def), 3.14159265 * reach * reach, 2 * 3.2 * reach);
  mote_image_destroy(image);
}

static bool is_redder(mote_colour c) {
  return c.red > c.green;
}

// Two spheres that cross: the border is the line on which both are equally deep, by symmetry the middle.
static void the_nearer_is_before_the_farther(void) {
  const double at[6] = {-0.3, 0, 0, 0.3, 0, 0}, behind[6] = {0, 0, 0, 0, 0, -2};
  const mote_colour colour[2] = {RED, GREEN}, other[2] = {GREEN, RED};
  mote_preview_def def = front(200, 200);
  mote_preview_scene scene = balls(at, 2, 0.6);
  scene.colour = colour;
  mote_image *image = draw(&def, &scene);
  for (int x = 70; x < 130; ++x) CHECK(is_redder(mote_image_get(image, x, 100)) == (x < 100));
  mote_image_destroy(image);
  scene.position = behind;
  image = draw(&def, &scene);
  CHECK(is_redder(mote_image_get(image, 100, 100)));
  scene.colour = other;
  mote_image *turned = draw(&def, &scene);
  CHECK(!is_redder(mote_image_get(turned, 100, 100)));
  mote_image_destroy(image);
  mote_image_destroy(turned);
}

#define HEAP 500

static void make_heap(double *position) {
  for (size_t k = 0; k < 3 * HEAP; ++k) position[k] = mote_random_uniform(3, 1, k) - 0.5;
}

static mote_preview_scene heap_scene(const double *position, size_t count, double shift) {
  mote_preview_scene scene = balls(position, count, 0.03);
  for (int k = 0; k < 3; ++k) scene.low[k] = shift - 0.6, scene.high[k] = shift + 0.6;
  scene.title = "Heap", scene.time = 1.5;
  return scene;
}

static void far_from_the_origin_is_as_near(void) {
  double position[3 * HEAP], far[3 * HEAP];
  make_heap(position);
  for (int k = 0; k < 3 * HEAP; ++k) far[k] = position[k] + 100000;
  mote_preview_def def = mote_preview_def_default();
  def.width = 320, def.height = 240;
  mote_preview_scene near_scene = heap_scene(position, HEAP, 0), far_scene = heap_scene(far, HEAP, 100000);
  mote_image *a = draw(&def, &near_scene), *b = draw(&def, &far_scene);
  CHECK(covered(a, &def) > 5000);
  CHECK(differing(a, b, 3) < 10);
  mote_image_destroy(a);
  mote_image_destroy(b);
}

static void what_is_not_finite_is_left_out(void) {
  double position[3 * HEAP + 9];
  make_heap(position);
  const double bad[9] = {NONE, 0, 0, 0, (double)INFINITY, 0, 0, 0, (double)-INFINITY};
  memcpy(position + 3 * HEAP, bad, sizeof bad);
  mote_preview_def def = mote_preview_def_default();
  def.width = 320, def.height = 240;
  mote_preview_scene with = heap_scene(position, HEAP + 3, 0), without = heap_scene(position, HEAP, 0);
  mote_image *a = draw(&def, &with), *b = draw(&def, &without);
  CHECK(differing(a, b, 0) == 0);
  mote_image_destroy(a);
  mote_image_destroy(b);
}

static void behind_the_camera_is_nothing(void) {
  const double at[9] = {0, 0, 7, 0.1, 0, 5, 0, 0.2, 4.9};
  mote_preview_def def = front(100, 80);
  mote_preview_scene scene = balls(at, 3, 0.3);
  mote_image *image = draw(&def, &scene);
  CHECK(covered(image, &def) == 0);
  scene.count = 0;
  mote_image *none = draw(&def, &scene);
  CHECK(differing(image, none, 0) == 0);
  mote_image_destroy(image);
  mote_image_destroy(none);
}

static void threads_do_not_change_pixels(void) {
  double position[3 * HEAP];
  make_heap(position);
  mote_preview_def def = mote_preview_def_default();
  def.width = 200, def.height = 150;
  mote_preview_scene scene = heap_scene(position, HEAP, 0);
  mote_env one = mote_env_default(), seven = one;
  one.threads = 1, seven.threads = 7;
  mote_image *a = NULL, *b = NULL;
  CHECK(mote_preview_draw(&def, &scene, &one, &a, NULL) == MOTE_OK);
  CHECK(mote_preview_draw(&def, &scene, &seven, &b, NULL) == MOTE_OK);
  CHECK(differing(a, b, 0) == 0);
  mote_image_destroy(a);
  mote_image_destroy(b);
}

// 2D: discs of 1.45 radii; one metre is as long along x as along y.
static void discs_have_their_area(void) {
  const double at[6] = {0, 0, 77, 3, 1, NONE};
  mote_preview_def def = mote_preview_def_default();
  def.width = 440, def.height = 240, def.flat = true;
  mote_preview_scene scene = balls(at, 2, 0.5);
  set3(def.low, -2, -2, NONE), set3(def.high, 6, 2, NONE);
  mote_image *image = draw(&def, &scene);
  double per = fmin(0.92 * 440 / 8, 0.9 * 240 / 4), ring = 2 * 3.1416 * 0.725 * per;
  CHECK_NEAR(covered(image, &def), 2 * 3.1416 * 0.5256 * per * per, 2 * 0.6 * ring);
  CHECK(!is_background(image, &def, 220 - (int)(2 * per), 120));
  CHECK(!is_background(image, &def, 220 + (int)per, 120 - (int)per));
  mote_image_destroy(image);
}

static void values_choose_colours(void) {
  const double at[9] = {-1, 0, 0, 0, 0, 0, 1, 0, 0};
  double value[3] = {2, NONE, 4};
  mote_preview_def def = front(300, 200);
  def.shade.map = MOTE_MAP_GREY, def.shade.bar = false;
  mote_preview_scene scene = balls(at, 3, 0.3);
  scene.value =
      (mote_field_view){.name = "x", .type = MOTE_TYPE_F64, .components = 1, .count = 3, .data = value};
  mote_image *image = draw(&def, &scene);
  double per = 100 * mote_cos(0.3) / mote_sin(0.3) / 5;
  mote_colour low = mote_image_get(image, 150 - (int)per, 100),
              high = mote_image_get(image, 150 + (int)per, 100);
  mote_colour unknown = mote_image_get(image, 150, 100);
  CHECK(low.green < 60 && high.green > 150);
  CHECK(unknown.green > low.green && unknown.green < high.green);
  mote_image_destroy(image);
  // Vectors count by their length: all equal, so one colour.
  double vector[9] = {3, 4, 0, 0, 5, 0, 0, 0, -5};
  scene.value.components = 3, scene.value.data = vector;
  image = draw(&def, &scene);
  low = mote_image_get(image, 150 - (int)per, 100), high = mote_image_get(image, 150 + (int)per, 100);
  CHECK(abs(low.green - high.green) < 25);
  mote_image_destroy(image);
}

static const double SQUARE[12] = {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0};
static uint32_t two[6] = {0, 1, 2, 0, 2, 3};

static mote_preview_mesh square(double *vertex, mote_colour colour) {
  memcpy(vertex, SQUARE, sizeof SQUARE);
  return (mote_preview_mesh){.mesh = {vertex, two, 4, 2}, .colour = colour};
}

static void meshes_are_where_they_are_posed(void) {
  double vertex[12];
  mote_preview_mesh mesh = square(vertex, RED);
  mote_preview_def def = front(200, 200);
  mote_preview_scene scene = mote_preview_scene_default();
  scene.mesh = &mesh, scene.meshes = 1;
  mote_image *image = draw(&def, &scene);
  double per = 100 * mote_cos(0.3) / mote_sin(0.3) / 5;
  CHECK_NEAR(covered(image, &def), 4 * per * per, 8 * per);
  CHECK(is_redder(mote_image_get(image, 100, 100)));
  mote_image_destroy(image);
  // Turned by a quarter about y through its right side, it is seen from its edge, at x = 1 from z = 0 to 2.
  mote_pose pose = {.rotation = {0, 0, 1, 0, 1, 0, -1, 0, 0}, .pivot = {1, 0, 0}};
  mesh.pose = &pose;
  image = draw(&def, &scene);
  CHECK(is_background(image, &def, 100, 100) && is_background(image, &def, 90 + (int)per, 100));
  CHECK(is_redder(mote_image_get(image, 100 + (int)(1.3 * per), 100)));
  mote_image_destroy(image);
  // Through the camera: cut, not folded over.
  pose = (mote_pose){.rotation = {1, 0, 0, 0, 0, 1, 0, 10, 0}, .move = {0, -0.5, 0}};
  image = draw(&def, &scene);
  CHECK(is_redder(mote_image_get(image, 100, 195)) && is_background(image, &def, 100, 60));
  mote_image_destroy(image);
}

static void glass_lets_through(void) {
  double vertex[12];
  const double at[3] = {0, 0, -1};
  mote_preview_mesh mesh = square(vertex, (mote_colour){30, 200, 30, 60});
  mote_preview_def def = front(200, 200);
  mote_preview_scene scene = balls(at, 1, 0.5);
  scene.colour = &RED, scene.mesh = &mesh, scene.meshes = 1;
  mote_image *image = draw(&def, &scene);
  mote_colour through = mote_image_get(image, 100, 100);
  scene.meshes = 0;
  mote_image *plain = draw(&def, &scene);
  mote_colour without = mote_image_get(plain, 100, 100);
  CHECK(is_redder(through) && through.green > without.green + 10);
  mote_image_destroy(image);
  mote_image_destroy(plain);
}

static void a_box_is_twelve_lines(void) {
  mote_preview_def def = mote_preview_def_default();
  def.width = 400, def.height = 300;
  mote_preview_scene scene = mote_preview_scene_default();
  set3(scene.low, 0, 0, 0), set3(scene.high, 1, 1, 1);
  mote_image *image = draw(&def, &scene);
  int lines = covered(image, &def);
  CHECK(lines > 1500 && lines < 8000);
  for (int x = 0; x < 400; ++x) CHECK(is_background(image, &def, x, 0) && is_background(image, &def, x, 299));
  scene.high[1] = (double)INFINITY;
  mote_image *open = draw(&def, &scene);
  CHECK(covered(open, &def) < lines);
  mote_image_destroy(image);
  mote_image_destroy(open);
}

static void wrong_arguments_are_told(void) {
  const double at[3] = {0, 0, 0};
  double vertex[12], value[2] = {1, 2};
  uint32_t wild[3] = {0, 1, 4};
  mote_preview_def def = front(50, 40), wide = def, bad_map = def, bad_cut = def, no_normal = def;
  wide.width = 8192, wide.height = 4096;
  bad_map.shade.map = (mote_colour_map)17;
  bad_cut.cut[0] = NONE, no_normal.cut[3] = 1;
  mote_preview_mesh mesh = square(vertex, RED);
  mesh.mesh.triangle = wild, mesh.mesh.triangles = 1;
  mote_preview_scene good = balls(at, 1, 1), null = balls(NULL, 1, 1), thin = balls(at, 1, 0), meshes = good,
                     values = good;
  meshes.mesh = &mesh, meshes.meshes = 1;
  values.value = (mote_field_view){.type = MOTE_TYPE_F64, .components = 1, .count = 2, .data = value};
  mote_image *image = NULL;
  mote_error error;
  const struct {
    const mote_preview_def *def;
    const mote_preview_scene *scene;
    const char *word;
  } bad[] = {{NULL, &good, "null"},         {&def, NULL, "null"},
             {&def, &null, "null"},         {&def, &thin, "radius"},
             {&def, &meshes, "vertex"},     {&def, &values, "one value"},
             {&wide, &good, "8192 x 4096"}, {&bad_map, &good, "colour map"},
             {&bad_cut, &good, "cut"},      {&no_normal, &good, "normal"}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
    CHECK(mote_preview_draw(bad[k].def, bad[k].scene, NULL, &image, &error) == MOTE_ERROR_ARGUMENT);
    CHECK(strstr(error.text, bad[k].word) != NULL && image == NULL);
  }
  CHECK(mote_preview_draw(&def, &good, NULL, NULL, NULL) == MOTE_ERROR_ARGUMENT);
  def.width = 0;
  CHECK(mote_preview_draw(&def, &good, NULL, &image, NULL) == MOTE_ERROR_ARGUMENT && image == NULL);
}

// Nothing here makes sense; all of it must give a picture, and no undefined arithmetic on the way.
static void extremes_are_survived(void) {
  static const double size[] = {1e-300, 1e-30, 1e-6, 1, 1e6, 1e30, 1e300, 1.7e308};
  const int count = (int)(sizeof size / sizeof *size);
  double vertex[12];
  for (int k = 0; k < count * count; ++k) {
    double s = size[k / count], r = size[k % count];
    const double at[9] = {0, 0, 0, s, -s, s, -s, s, 1};
    mote_preview_mesh mesh = square(vertex, k % 2 == 0 ? RED : (mote_colour){9, 99, 9, 99});
    for (int m = 0; m < 12; ++m) vertex[m] *= s;
    mote_preview_def def = mote_preview_def_default();
    def.width = 1 + k % 40, def.height = 1 + k % 33, def.flat = k % 3 == 0;
    if (k % 5 == 1) set3(def.camera.from, s, r, -s), set3(def.up, 0, 0, 0);
    if (k % 7 == 2) set3(def.camera.from, 0, s, 0), set3(def.camera.to, 0, s, 0);
    if (k % 11 == 3) set3(def.light, r, (double)INFINITY, NONE), def.ground = -s;
    mote_preview_scene scene = balls(at, 3, r);
    scene.mesh = &mesh, scene.meshes = 1, scene.title = "", scene.time = s;
    if (k % 4 == 0) set3(scene.low, -s, -s, -s), set3(scene.high, s, s, s), mesh.liquid = true;
    if (k % 5 == 0) set3(def.cut, r, 1, 0), def.cut[3] = -s;
    scene.value = (mote_field_view){.type = MOTE_TYPE_F64, .components = 1, .count = 3, .data = vertex};
    mote_image_destroy(draw(&def, &scene));
  }
}

static void short_memory_is_told(void) {
  double position[3 * HEAP], vertex[12];
  make_heap(position);
  mote_preview_mesh mesh = square(vertex, RED);
  mote_preview_def def = mote_preview_def_default();
  def.width = 60, def.height = 40;
  mote_preview_scene scene = heap_scene(position, HEAP, 0);
  scene.mesh = &mesh, scene.meshes = 1, mesh.liquid = true;
  bool done = false;
  for (int calls = 0; calls < 100 && !done; ++calls) {
    stingy s;
    mote_env env = stingy_env(&s, calls);
    mote_image *image = NULL;
    mote_result result = mote_preview_draw(&def, &scene, &env, &image, NULL);
    CHECK(result == MOTE_OK ? image != NULL : result == MOTE_ERROR_MEMORY && image == NULL);
    done = result == MOTE_OK;
    mote_image_destroy(image);
    CHECK(s.held == 0);
  }
  CHECK(done);
}

static const double LOW[3] = {-1, -1, -1}, HIGH[3] = {1, 1, 1};

static mote_mesh mesh_of(const mote_shape_def *def, int dimensions, int cells) {
  mote_shape *shape = NULL;
  mote_mesh mesh = {0};
  CHECK(mote_shape_create(def, dimensions, NULL, &shape, NULL) == MOTE_OK);
  CHECK(mote_shape_triangles(shape, dimensions, LOW, HIGH, cells, NULL, &mesh, NULL) == MOTE_OK);
  mote_shape_destroy(shape);
  return mesh;
}

// Chords of length c cut c^2/8r off the radius: less than 3 c^2/8r^2 of the volume, plus as much for the
// vertices, which lie on the tangent planes' common point instead of the surface.
static void a_sphere_becomes_a_closed_mesh(void) {
  mote_shape_def def = mote_shape_def_sphere(0.1, -0.05, 0.02, 0.7);
  mote_mesh mesh = mesh_of(&def, 3, 40);
  mote_mesh_report report;
  CHECK(mote_mesh_examine(&mesh, NULL, &report, NULL) == MOTE_OK);
  CHECK(report.open_edges == 0 && report.flipped_edges == 0 && report.crowded_edges == 0 &&
        report.parts == 1);
  double volume = 4.1887902047863905 * 0.343, cell = 0.05 / 0.7;
  CHECK_NEAR(report.volume, volume, 2 * 3 * cell * cell / 8 * volume);
  mote_mesh_free(&mesh, NULL);
}

// The edges and corners of a box that fits no lattice are where they were: to what 24 rounds of descent
// leave.
static void a_box_keeps_its_corners(void) {
  mote_shape_def def = mote_shape_def_box(-0.51, -0.32, -0.43, 0.44, 0.57, 0.38);
  mote_mesh mesh = mesh_of(&def, 3, 20);
  mote_mesh_report report;
  CHECK(mote_mesh_examine(&mesh, NULL, &report, NULL) == MOTE_OK);
  CHECK(report.open_edges == 0);
  CHECK_NEAR(report.volume, 0.95 * 0.89 * 0.81, 1e-4);
  for (int k = 0; k < 3; ++k) {
    CHECK_NEAR(report.low[k], def.low[k], 1e-3);
    CHECK_NEAR(report.high[k], def.high[k], 1e-3);
  }
  mote_mesh_free(&mesh, NULL);
}

static double area_of(const mote_mesh *mesh) {
  double sum = 0;
  for (size_t t = 0; t < mesh->triangles; ++t) {
    const double *v[3];
    for (size_t c = 0; c < 3; ++c) v[c] = mesh->vertex + 3 * (size_t)mesh->triangle[3 * t + c];
    sum += ((v[1][0] - v[0][0]) * (v[2][1] - v[0][1]) - (v[1][1] - v[0][1]) * (v[2][0] - v[0][0])) / 2;
  }
  return sum;
}

static void flat_shapes_are_filled(void) {
  mote_shape_def box = mote_shape_def_box(-0.51, -0.32, 0, 0.44, 0.57, 0);
  mote_shape_def disc = mote_shape_def_sphere(0.1, 0, 0, 0.6);
  mote_shape_def hole = disc;
  hole.inverted = true;
  mote_mesh mesh = mesh_of(&box, 2, 20);
  CHECK_NEAR(area_of(&mesh), 0.95 * 0.89, 1e-4);
  mote_mesh_free(&mesh, NULL);
  double area = 3.141592653589793 * 0.36, cell = 0.05 / 0.6;
  mesh = mesh_of(&disc, 2, 40);
  CHECK_NEAR(area_of(&mesh), area, 2 * cell * cell / 8 * area);
  mote_mesh_free(&mesh, NULL);
  mesh = mesh_of(&hole, 2, 40);
  CHECK_NEAR(area_of(&mesh), 4 - area, 2 * cell * cell / 8 * area);
  mote_mesh_free(&mesh, NULL);
}

static void shapes_elsewhere_and_wrong_bounds(void) {
  mote_shape_def def = mote_shape_def_sphere(5, 5, 5, 1);
  mote_mesh mesh = mesh_of(&def, 3, 10);
  CHECK(mesh.triangles == 0 && mesh.vertices == 0);
  mote_mesh_free(&mesh, NULL);
  mote_shape *shape = NULL;
  mote_error error;
  const double open[3] = {1, (double)INFINITY, 1};
  CHECK(mote_shape_create(&def, 3, NULL, &shape, NULL) == MOTE_OK);
  CHECK(mote_shape_triangles(shape, 3, LOW, open, 10, NULL, &mesh, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(strstr(error.text, "bounds") != NULL);
  CHECK(mote_shape_triangles(shape, 3, LOW, HIGH, 0, NULL, &mesh, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_shape_triangles(shape, 4, LOW, HIGH, 9, NULL, &mesh, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_shape_triangles(NULL, 3, LOW, HIGH, 9, NULL, &mesh, NULL) == MOTE_ERROR_ARGUMENT);
  mote_shape_destroy(shape);
}

static void shapes_in_short_memory(void) {
  mote_shape_def def = mote_shape_def_sphere(0, 0, 0, 0.5);
  mote_shape *shape = NULL;
  CHECK(mote_shape_create(&def, 3, NULL, &shape, NULL) == MOTE_OK);
  bool done = false;
  for (int calls = 0; calls < 60 && !done; ++calls) {
    stingy s;
    mote_env env = stingy_env(&s, calls);
    mote_mesh mesh = {0};
    mote_result result = mote_shape_triangles(shape, 3, LOW, HIGH, 12, &env, &mesh, NULL);
    CHECK(result == MOTE_OK || result == MOTE_ERROR_MEMORY);
    done = result == MOTE_OK;
    if (done) mote_mesh_free(&mesh, &env);
    CHECK(s.held == 0);
  }
  CHECK(done);
  mote_shape_destroy(shape);
}

int main(void) {
  a_sphere_has_its_outline();
  the_nearer_is_before_the_farther();
  far_from_the_origin_is_as_near();
  what_is_not_finite_is_left_out();
  behind_the_camera_is_nothing();
  threads_do_not_change_pixels();
  discs_have_their_area();
  values_choose_colours();
  meshes_are_where_they_are_posed();
  glass_lets_through();
  a_box_is_twelve_lines();
  wrong_arguments_are_told();
  extremes_are_survived();
  short_memory_is_told();
  a_sphere_becomes_a_closed_mesh();
  a_box_keeps_its_corners();
  flat_shapes_are_filled();
  shapes_elsewhere_and_wrong_bounds();
  shapes_in_short_memory();
  return test_end();
}
