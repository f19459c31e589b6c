// Cuts of previews: particles beyond are left out, closed meshes have a flat face there, and liquids end in a
// straight line at the sides of the box, whatever their mesh does there.
#include <mote/numeric.h>
#include <mote/surface.h>

#include "preview_page.h"

static const double TOLERANCE_PIXELS = 1.5;

static void particles_beyond_a_cut_are_left_out(void) {
  double at[3 * 64], kept[3 * 64];
  size_t count = 0;
  for (int k = 0; k < 64; ++k) {
    set3(at + 3 * k, 0.3 * (k % 4) - 0.45, 0.3 * (k / 4 % 4) - 0.45, 0.3 * (k / 16) - 0.45);
    if (at[3 * k + 2] < 0) memcpy(kept + 3 * count++, at + 3 * k, 3 * sizeof *at);
  }
  mote_preview_def def = front(160, 120), plain = def;
  set3(def.cut, 0, 0, -2);  // z >= 0
  def.ground = plain.ground = -1;
  for (int k = 0; k < 3; ++k) def.low[k] = plain.low[k] = -1, def.high[k] = plain.high[k] = 1;
  mote_preview_scene all = balls(at, 64, 0.1), some = balls(kept, count, 0.1);
  mote_image *cut = draw(&def, &all), *whole = draw(&plain, &all), *wanted = draw(&plain, &some);
  CHECK(count == 32 && differing(cut, wanted, 0) == 0 && differing(cut, whole, 9) > 100);
  mote_image_destroy(cut), mote_image_destroy(whole), mote_image_destroy(wanted);
}

static mote_mesh shape_mesh(const mote_shape_def *def, int cells) {
  static const double low[3] = {-1.5, -1.5, -1.5}, high[3] = {1.5, 1.5, 1.5};
  mote_shape *shape = NULL;
  mote_mesh mesh = {0};
  CHECK(mote_shape_create(def, 3, NULL, &shape, NULL) == MOTE_OK);
  CHECK(mote_shape_triangles(shape, 3, low, high, cells, NULL, &mesh, NULL) == MOTE_OK);
  mote_shape_destroy(shape);
  return mesh;
}

// A sphere of radius 1 that is cut at z = 0.6 has a face of radius 0.8 there, evenly lit but for highlights.
static void a_cut_sphere_has_a_flat_face(void) {
  mote_shape_def ball = mote_shape_def_sphere(0, 0, 0, 1);
  mote_mesh mesh = shape_mesh(&ball, 40);
  mote_preview_def def = front(200, 200);
  mote_preview_mesh red = {.mesh = mesh, .colour = {220, 30, 30, 255}};
  mote_preview_scene scene = mote_preview_scene_default();
  scene.mesh = &red, scene.meshes = 1;
  set3(def.cut, 0, 0, -1), def.cut[3] = -0.6;
  mote_image *image = draw(&def, &scene);
  double per = 100 * mote_cos(0.3) / mote_sin(0.3) / 4.4, reach = 0.8 * per;
  mote_colour middle = mote_image_get(image, 100, 100);
  int face = 0;
  for (int y = 0; y < 200; ++y)
    for (int x = 0; x < 200; ++x) {
      mote_colour c = mote_image_get(image, x, y);
      double away = sqrt((x + 0.5 - 100) * (x + 0.5 - 100) + (y + 0.5 - 100) * (y + 0.5 - 100));
      bool same = abs(c.red - middle.red) <= 8 && abs(c.green - middle.green) <= 8;
      if (away < reach - TOLERANCE_PIXELS) face += same ? 1 : -1000;
    }
  reach -= TOLERANCE_PIXELS;
  CHECK_NEAR(face, 3.14159265 * reach * reach, 2 * 3.14159265 * reach);
  // Its inside is not seen, nor is anything of it beyond the cut.
  set3(def.cut, 0, 0, -1), def.cut[3] = 1.2;
  mote_image *none = draw(&def, &scene);
  CHECK(covered(none, &def) == 0);
  mote_image_destroy(image), mote_image_destroy(none);
  mote_mesh_free(&mesh, NULL);
}

// A body in a liquid is behind the face of the cut.
static void a_face_hides_what_is_behind_it(void) {
  mote_shape_def water = mote_shape_def_box(-1, -1, -1, 1, 1, 1), stone = mote_shape_def_sphere(0, 0, 0, 0.5);
  mote_preview_mesh both[2] = {{.mesh = shape_mesh(&water, 20), .colour = {30, 30, 220, 255}, .liquid = true},
                               {.mesh = shape_mesh(&stone, 20), .colour = {220, 30, 30, 255}}};
  mote_preview_def def = front(100, 100);
  mote_preview_scene scene = mote_preview_scene_default();
  scene.mesh = both, scene.meshes = 2;
  set3(scene.low, -0.9, -0.9, -0.9), set3(scene.high, 0.9, 0.9, 0.9);
  mote_image *image = draw(&def, &scene);
  mote_colour middle = mote_image_get(image, 50, 50);
  CHECK(middle.blue > middle.red + 50);
  mote_image_destroy(image);
  def.cut[2] = -1, def.cut[3] = 0;  // through both
  image = draw(&def, &scene);
  middle = mote_image_get(image, 50, 50);
  mote_colour aside = mote_image_get(image, 74, 50);
  CHECK(middle.red > middle.blue + 50 && aside.blue > aside.red + 50);
  mote_image_destroy(image);
  for (int k = 0; k < 2; ++k) mote_mesh_free(&both[k].mesh, NULL);
}

// Rows of background in the middle between a plate and a liquid that ends above it.
static int rows_between(double above, uint8_t alpha, bool cut) {
  mote_shape_def water = mote_shape_def_box(-0.8, above - 0.5, -0.8, 0.8, 0.7, 0.8),
                 plate = mote_shape_def_box(-1, -0.9, -1, 1, -0.5, 1);
  mote_preview_mesh both[2] = {{.mesh = shape_mesh(&water, 20), .colour = {30, 30, 220, 255}, .liquid = true},
                               {.mesh = shape_mesh(&plate, 20), .colour = {220, 30, 30, alpha}}};
  mote_preview_def def = front(100, 100);
  mote_preview_scene scene = mote_preview_scene_default();
  scene.mesh = both, scene.meshes = 2;
  set3(scene.low, -2, -2, -2), set3(scene.high, 2, 2, 2);
  def.camera.from[1] = def.camera.to[1] = 0.5 * above - 0.5;
  if (cut) def.cut[2] = -1;
  mote_image *image = draw(&def, &scene);
  int rows = 0;
  for (int y = 40; y < 60; ++y) rows += is_background(image, &def, 50, y);
  mote_image_destroy(image);
  for (int k = 0; k < 2; ++k) mote_mesh_free(&both[k].mesh, NULL);
  return rows;
}

static void a_liquid_reaches_what_holds_it(void) {
  for (int k = 0; k < 4; ++k) {
    CHECK(rows_between(0.08, k % 2 ? 255 : 76, k / 2) == 0);
    CHECK(rows_between(0.4, k % 2 ? 255 : 76, k / 2) > 3);
  }
}

// Two liquids as one mesh, red before and blue behind: a face has the colour of the side that is nearer to
// it.
static void a_face_has_the_colours_about_it(void) {
  mote_shape_def water = mote_shape_def_box(-1, -1, -1, 1, 1, 1);
  mote_preview_mesh mesh = {.mesh = shape_mesh(&water, 20), .colour = {0, 0, 0, 255}, .liquid = true};
  mote_colour *colour = malloc(mesh.mesh.triangles * sizeof *colour);
  for (size_t t = 0; t < mesh.mesh.triangles; ++t) {
    bool before = mesh.mesh.vertex[3 * (size_t)mesh.mesh.triangle[3 * t] + 2] > 0;
    colour[t] = before ? (mote_colour){220, 30, 30, 255} : (mote_colour){30, 30, 220, 255};
  }
  mesh.of_triangle = colour;
  mote_preview_def def = front(100, 100);
  mote_preview_scene scene = mote_preview_scene_default();
  scene.mesh = &mesh, scene.meshes = 1;
  for (int k = 0; k < 4; ++k) {
    bool near = k % 2, tank = k / 2;
    if (tank) set3(scene.low, -0.9, -0.9, -0.9), set3(scene.high, 0.9, 0.9, 0.9);
    set3(def.cut, 0, 0, -1), def.cut[3] = near ? -0.5 : 0.5;
    mote_image *image = draw(&def, &scene);
    mote_colour middle = mote_image_get(image, 50, 50);
    CHECK(near ? middle.red > middle.blue + 50 : middle.blue > middle.red + 50);
    mote_image_destroy(image);
  }
  mote_mesh_free(&mesh.mesh, NULL);
  free(colour);
}

#define FILL 21

// Water below the slope y = 0.4 x between walls at -1 and 1, as mote mesh makes its surface.
static mote_surface sloping_water(void) {
  static double at[3 * FILL * FILL * FILL];
  const double spacing = 2.0 / FILL;
  size_t count = 0;
  for (int k = 0; k < FILL * FILL * FILL; ++k) {
    double *x = at + 3 * count;
    set3(x, (k % FILL + 0.5) * spacing - 1, (k / FILL % FILL + 0.5) * spacing - 1,
         (k / FILL / FILL + 0.5) * spacing - 1);
    count += x[1] < 0.4 * x[0];
  }
  mote_surface_def def = mote_surface_def_default();
  mote_surface_walls walls = mote_surface_walls_none();
  mote_surface_images images;
  mote_surface_particles particles = {.position = at, .count = count};
  mote_surfacer *surfacer = NULL;
  mote_surface surface = {0};
  mote_env env = mote_env_default();
  def.spacing = spacing;
  set3(walls.low, -1, -1, -1), set3(walls.high, 1, 1, 1);
  mote_surface_walls_cut(&walls, &def);
  CHECK(mote_surfacer_create(&def, &env, &surfacer, NULL) == MOTE_OK);
  CHECK(mote_surface_images_make(&walls, &particles, &def, &env, &images, NULL) == MOTE_OK);
  CHECK(mote_surfacer_build(surfacer, &images.view, &surface, NULL) == MOTE_OK);
  mote_surface_images_free(&images, &env);
  mote_surfacer_destroy(surfacer);
  return surface;
}

// The row at which a column of the picture changes most: from the top of the water to its face at the wall.
static int edge_row(const mote_image *image, int x) {
  int row = 0, most = 0;
  for (int y = 200; y < 340; ++y) {
    int step = mote_image_get(image, x, y - 1).green - mote_image_get(image, x, y + 1).green;
    if (step > most) most = step, row = y;
  }
  return row;
}

// The highest step of the edge from one column to the next, pixels: the slope, and teeth.
static int highest_step(const mote_preview_mesh *water) {
  mote_preview_def def = front(400, 400);
  set3(def.camera.from, 0, 3, 5);
  mote_preview_scene scene = mote_preview_scene_default();
  scene.mesh = water, scene.meshes = 1;
  set3(scene.low, -1, -1, -1), set3(scene.high, 1, 1, 1);
  mote_image *image = draw(&def, &scene);
  int most = 0;
  for (int x = 115; x < 300; ++x) {
    int step = abs(edge_row(image, x + 1) - edge_row(image, x));
    most = step > most ? step : most;
  }
  CHECK(edge_row(image, 115) - edge_row(image, 300) > 40);
  mote_image_destroy(image);
  return most;
}

static void water_meets_a_wall_in_a_straight_line(void) {
  mote_surface surface = sloping_water();
  mote_preview_mesh water = {.mesh = surface.mesh, .colour = {60, 140, 200, 255}};
  CHECK(highest_step(&water) >= 4);  // the teeth of the mesh
  water.liquid = true;
  CHECK(highest_step(&water) <= 2);
  mote_surface_free(&surface, NULL);
}

// A ball that hovers one edge above the floor looks the same with a box and without.
static void water_near_a_wall_keeps_its_shape(void) {
  mote_shape_def ball = mote_shape_def_sphere(0, 0, 0, 0.8);
  mote_preview_mesh water = {.mesh = shape_mesh(&ball, 40), .colour = {60, 140, 200, 255}, .liquid = true};
  mote_preview_def def = front(200, 200);
  mote_preview_scene scene = mote_preview_scene_default();
  scene.mesh = &water, scene.meshes = 1;
  set3(def.low, -1, -1, -1), set3(def.high, 1, 1, 1);
  mote_image *wanted = draw(&def, &scene);
  scene.low[1] = -0.84;
  mote_image *image = draw(&def, &scene);
  CHECK(differing(image, wanted, 0) == 0);
  mote_image_destroy(image), mote_image_destroy(wanted);
  mote_mesh_free(&water.mesh, NULL);
}

int main(void) {
  particles_beyond_a_cut_are_left_out();
  a_cut_sphere_has_a_flat_face();
  a_face_hides_what_is_behind_it();
  a_liquid_reaches_what_holds_it();
  a_face_has_the_colours_about_it();
  water_meets_a_wall_in_a_straight_line();
  water_near_a_wall_keeps_its_shape();
  return test_end();
}
