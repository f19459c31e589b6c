// Radiance pictures: three ways to write the same light, what is refused; and the light that they give.
#include "trace_oven.h"

// --- Files ---------------------------------------------------------------------------------------------

typedef struct bytes {
  uint8_t data[1024];
  size_t size;
} bytes;

static void add(bytes *b, const void *data, size_t size) {
  memcpy(b->data + b->size, data, size);
  b->size += size;
}

static void add_text(bytes *b, const char *text) {
  add(b, text, strlen(text));
}

static mote_result parse(const void *data, size_t size, mote_environment *out, mote_error *error) {
  mote_env env = mote_env_default();
  mote_file_content source = {data, size, "a.hdr", &env};
  *out = (mote_environment){0};
  return mote_environment_parse(&source, out, error);
}

enum { WIDE = 16, TALL = 8 };

// Rows of two colours.
static void pixel_at(int x, int y, uint8_t p[4]) {
  const uint8_t left[4] = {128, 64, 0, 129}, right[4] = {200, (uint8_t)(10 * y), 255, 126};
  memcpy(p, x < 11 ? left : right, 4);
}

static void add_row(bytes *b, int y, char way) {
  uint8_t p[WIDE][4];
  for (int x = 0; x < WIDE; ++x) pixel_at(x, y, p[x]);
  if (way == 'p') add(b, p, sizeof p);
  if (way == 'o') {  // 1 + 10 and 1 + 4 pixels
    add(b, p[0], 4), add(b, (uint8_t[]){1, 1, 1, 10}, 4);
    add(b, p[11], 4), add(b, (uint8_t[]){1, 1, 1, 4}, 4);
  }
  if (way == 'n') {
    add(b, (uint8_t[]){2, 2, 0, WIDE}, 4);
    for (int c = 0; c < 4; ++c) {
      add(b, (uint8_t[]){128 + 11, p[0][c], 5}, 3);
      for (int x = 11; x < WIDE; ++x) add(b, &p[x][c], 1);
    }
  }
}

static bytes make_file(char way, const char *more) {
  bytes b = {.size = 0};
  add_text(&b, "#?RADIANCE\n# a comment\nFORMAT=32-bit_rle_rgbe\n");
  add_text(&b, more);
  add_text(&b, "\n-Y 8 +X 16\n");
  for (int y = 0; y < TALL; ++y) add_row(&b, y, way);
  return b;
}

static void three_ways_are_read(void) {
  static const char ways[] = "pon";
  for (int k = 0; k < 3; ++k) {
    mote_environment e;
    mote_error error = {0};
    bytes b = make_file(ways[k], k == 1 ? "EXPOSURE=4\r\nEXPOSURE= 0.5\n" : "");
    if (!CHECK(parse(b.data, b.size, &e, &error) == MOTE_OK)) {
      fprintf(stderr, "%s\n", error.text);
      continue;
    }
    float part = k == 1 ? 0.5F : 1;
    CHECK(e.width == WIDE && e.height == TALL);
    for (int y = 0; y < TALL; ++y)
      for (int x = 0; x < WIDE; ++x) {
        uint8_t p[4];
        pixel_at(x, y, p);
        for (int c = 0; c < 3; ++c)
          CHECK(e.light[3 * (y * WIDE + x) + c] == part * ldexpf((float)p[c], p[3] - 136));
      }
    mote_environment_free(&e, NULL);
    for (size_t size = 0; size < b.size; ++size)
      CHECK(parse(b.data, size, &e, &error) == MOTE_ERROR_FORMAT && e.light == NULL);
  }
}

static bool refused(const char *header, const void *rows, size_t size, const char *words) {
  bytes b = {.size = 0};
  mote_environment e;
  mote_error error = {0};
  add_text(&b, header);
  add(&b, rows, size);
  bool good = parse(b.data, b.size, &e, &error) == MOTE_ERROR_FORMAT && strstr(error.text, words) != NULL;
  if (!good) fprintf(stderr, "  \"%s\"\n", error.text);
  return good && e.light == NULL;
}

static void broken_files_are_refused(void) {
  static const uint8_t run_first[4] = {1, 1, 1, 2}, long_run[8] = {9, 9, 9, 130, 1, 1, 1, 9},
                       bright[8] = {255, 0, 0, 255, 0, 0, 0, 0},
                       no_run[32] = {2, 2, 0, 8, 128 + 8, 1, 128 + 8, 1, 0, 0},
                       wide_run[32] = {2, 2, 0, 8, 128 + 9, 1};
  CHECK(refused("P6 2 1 255\n", run_first, 4, "does not begin with #?"));
  CHECK(refused("#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 2\n", bright, 8, "32-bit_rle_xyze"));
  CHECK(refused("#?RGBE\nEXPOSURE=nan\n\n-Y 1 +X 2\n", bright, 8, "exposure"));
  CHECK(refused("#?RGBE\nEXPOSURE=0\n\n-Y 1 +X 2\n", bright, 8, "exposure"));
  CHECK(refused("#?RGBE\n\n-Y 0 +X 0\n", bright, 8, "no pixels"));
  CHECK(refused("#?RGBE\n\n-Y -4 +X -8\n", bright, 8, "no pixels"));
  CHECK(refused("#?RGBE\n\n-Y 90000 +X 180000\n", bright, 8, "million"));
  CHECK(refused("#?RGBE\n\n+Y 1 +X 2\n", bright, 8, "top to bottom"));
  CHECK(refused("#?RGBE\n\n-Y 2 +X 2\n", bright, 8, "twice as wide"));
  CHECK(refused("#?RGBE\n\n-Y 1 +X 2\n", bright, 8, "which no light is"));
  CHECK(refused("#?RGBE\n\n-Y 1 +X 2\n", run_first, 4, "room for 0"));
  CHECK(refused("#?RGBE\n\n-Y 1 +X 2\n", long_run, 8, "room for 1"));
  CHECK(refused("#?RGBE\n\n-Y 4 +X 8\n", no_run, 32, "run of 0"));
  CHECK(refused("#?RGBE\n\n-Y 4 +X 8\n", wide_run, 32, "room for 8"));
  CHECK(refused("#?RGBE\nno end", bright, 0, "no end"));
}

// --- Light ---------------------------------------------------------------------------------------------

enum { ACROSS = 64, DOWN = 32 };

// Dim all over, with a sun of one pixel.
static mote_environment dim_with_sun(float light[3 * ACROSS * DOWN], int x, int y, float sun) {
  for (int k = 0; k < 3 * ACROSS * DOWN; ++k) light[k] = 0.1F;
  for (int c = 0; c < 3; ++c) light[3 * (y * ACROSS + x) + c] = sun;
  return (mote_environment){ACROSS, DOWN, light};
}

static void directions_are_where_the_picture_says(void) {
  static const struct {
    int x, y;
    float to[3];
  } known[] = {{ACROSS / 2, DOWN / 2, {0, 0, -1}},
               {3 * ACROSS / 4, DOWN / 2, {1, 0, 0}},
               {5, 0, {0, 1, 0}},
               {7, DOWN - 1, {0, -1, 0}}};
  float light[3 * ACROSS * DOWN];
  mote_env env = mote_env_default();
  for (size_t k = 0; k < sizeof known / sizeof *known; ++k) {
    mote_environment e = dim_with_sun(light, known[k].x, known[k].y, 100);
    mote_sky_map map;
    mote_vec up = vec(0, 1, 0), to = vec_from(known[k].to);
    if (CHECK(mote_sky_map_make(&map, &e, up, 2, 0, &env))) {
      mote_vec found = mote_sky_map_choose(&map, (mote_sample_point){0.5F, 0.5F});
      CHECK(vec_dot(found, to) > 0.99F);
      if (k < 2) CHECK_NEAR((double)mote_sky_map_all(&map, found).x, 200, 1);  // at the poles not its middle
    }
    mote_sky_map_free(&map, &env);
    // A quarter clockwise: what was ahead is on the right.
    if (CHECK(mote_sky_map_make(&map, &e, up, 1, 1.5707963, &env)) && k == 0)
      CHECK(mote_sky_map_choose(&map, (mote_sample_point){0.5F, 0.5F}).x > 0.99F);
    mote_sky_map_free(&map, &env);
  }
}

// The mean over chosen directions of a value by its density is its integral; even and bright parts make up
// all of the light at the middle of a pixel.
static void bright_parts_are_chosen_by_their_light(void) {
  float light[3 * ACROSS * DOWN];
  mote_env env = mote_env_default();
  mote_sky_map map;
  mote_environment e = dim_with_sun(light, 40, 9, 500);
  for (int c = 0; c < 3; ++c) light[3 * (20 * ACROSS + 3) + c] = 300.0F * (float)c;
  if (CHECK(mote_sky_map_make(&map, &e, vec(0, 1, 0), 1, 0, &env))) {
    double flux = 0, known = 0;
    const int count = 4096, pixel[2][2] = {{40, 9}, {3, 20}};
    for (int k = 0; k < count; ++k) {
      mote_sampler s = sampler_make(5, 1, (uint32_t)k);
      mote_vec to = mote_sky_map_choose(&map, sampler_next(&s));
      float density;
      mote_vec bright = mote_sky_map_bright(&map, to, &density);
      CHECK_NEAR((double)vec_length(to), 1, 1e-4);
      if (density > 0) flux += (double)bright.y / (double)density / count;
    }
    for (int k = 0; k < 2; ++k) {
      double top = 3.14159265 * pixel[k][1] / DOWN, bottom = 3.14159265 * (pixel[k][1] + 1) / DOWN;
      double solid = 2 * 3.14159265 / ACROSS * (cos(top) - cos(bottom)), middle = 0.5 * (top + bottom);
      double turn = 2 * 3.14159265 * ((pixel[k][0] + 0.5) / ACROSS - 0.5);
      const double to[3] = {sin(middle) * sin(turn), cos(middle), -sin(middle) * cos(turn)};
      float density;
      mote_vec bright = mote_sky_map_bright(&map, vec_from_double(to), &density);
      mote_vec all = mote_sky_map_all(&map, vec_from_double(to)),
               even = mote_sky_map_even(&map, vec_from_double(to));
      CHECK_NEAR((double)vec_max(vec_sub(all, vec_add(even, bright))), 0, 0.02 * (double)vec_max(all));
      CHECK(vec_max(even) < 1.001F * map.mean && density > 1);
      known += solid * (double)bright.y;
    }
    CHECK_NEAR(flux, known, 0.02 * known);
  }
  mote_sky_map_free(&map, &env);
}

// A matte wall in the light of a sun of one pixel has the light of the formula in every path: no specks.
static void a_sun_makes_no_specks(void) {
  float light[3 * ACROSS * DOWN];
  double vertex[24], low[3] = {-9, -9, -1}, high[3] = {9, 9, 0};
  uint32_t triangle[36];
  mote_trace t;
  mote_render_def def = oven();
  mote_render_scene scene = mote_render_scene_default();
  mote_render_mesh wall = {.look = mote_look_matte(0.5F, 0.5F, 0.5F)};
  mote_environment e = dim_with_sun(light, 4, 12, 500);  // behind the camera
  for (int c = 0; c < 3 * ACROSS * DOWN; ++c)
    if (light[c] < 1) light[c] = 0;
  make_box(&wall.mesh, vertex, triangle, low, high);
  scene.mesh = &wall, scene.meshes = 1;
  def.environment = &e, def.bounces = 1;
  if (build(&t, &def, &scene)) {
    double top = 3.14159265 * 12 / DOWN, bottom = 3.14159265 * 13 / DOWN, middle = 0.5 * (top + bottom);
    double solid = 2 * 3.14159265 / ACROSS * (cos(top) - cos(bottom));
    double cosine = -sin(middle) * cos(2 * 3.14159265 * (4.5 / ACROSS - 0.5));
    double known = 0.5 / 3.14159265 * 500 * solid * cosine;
    CHECK(t.caustics.light == NULL && known > 0.1);
    for (int k = 0; k < 64; ++k) {
      mote_sampler s = sampler_make(3, (uint32_t)k, 0);
      CHECK_NEAR((double)mote_trace_pixel(&t, (float)k, 20, &s).light.x, known, 0.12 * known);
    }
    CHECK_NEAR((double)look_at(&t, 32, 32, 256).x, known, 0.01 * known);
  }
  mote_trace_free(&t);
}

// In an even picture nothing that loses no light is seen.
static void even_pictures_are_an_oven(void) {
  float light[3 * 2 * 1] = {1, 1, 1, 1, 1, 1};
  static const double at[3] = {0, 0, 0};
  mote_environment e = {2, 1, light};
  mote_trace t;
  mote_render_def def = oven();
  mote_render_scene scene = mote_render_scene_default();
  mote_render_spheres ball = {.position = at, .count = 1, .radius = 1, .look = mote_look_matte(1, 1, 1)};
  scene.spheres = &ball, scene.sphere_sets = 1;
  def.environment = &e, def.sky_strength = 0.5;
  if (build(&t, &def, &scene)) {
    CHECK(t.map.bright_sum < 1e-5);
    for (int k = 0; k < 8; ++k) CHECK_NEAR((double)look_at(&t, 20 + 3 * k, 30, 8).y, 0.5, 1e-4);
  }
  mote_trace_free(&t);
}

int main(void) {
  three_ways_are_read();
  broken_files_are_refused();
  directions_are_where_the_picture_says();
  bright_parts_are_chosen_by_their_light();
  a_sun_makes_no_specks();
  even_pictures_are_an_oven();
  return test_end();
}
