// Liquids and vessels before a white lamp: the colour of a liquid through its depth, the looks of colliders,
// and light through a vessel and what is in it.
#include "trace_oven.h"

typedef struct box {
  double vertex[24];
  uint32_t triangle[36];
} box;

// From -half to half across, from z = `back` to `front`.
static mote_render_mesh slab(box *b, double half, double back, double front, mote_look look) {
  mote_render_mesh m = {.look = look};
  const double low[3] = {-half, -half, back}, high[3] = {half, half, front};
  make_box(&m.mesh, b->vertex, b->triangle, low, high);
  return m;
}

// White of radiance 1 behind everything; no other light.
static mote_render_mesh white_wall(box *b) {
  mote_look white = mote_look_matte(1, 1, 1);
  white.glow = 1;
  return slab(b, 9, -2, -1, white);
}

static mote_render_def lightbox(void) {
  mote_render_def def = oven();
  def.bounces = 0, def.sun_strength = def.sky_strength = 0;
  def.width = def.height = 16, def.samples = 64, def.noise = 0, def.denoise = false;
  return def;
}

// The bytes of the picture's middle.
static void draw_middle(const mote_render_mesh *mesh, size_t count, uint8_t out[4]) {
  mote_render_def def = lightbox();
  mote_render_scene scene = mote_render_scene_default();
  mote_image *image = NULL;
  scene.mesh = mesh, scene.meshes = count;
  memset(out, 0, 4);
  if (!CHECK(mote_render_draw(&def, &scene, NULL, &image, NULL) == MOTE_OK)) return;
  memcpy(out, mote_image_pixels(image) + 4 * (16 * 8 + 8), 4);
  mote_image_destroy(image);
}

// As displayed, in every channel, whatever the depth and the size of what is in the picture.
static void liquids_have_their_colour_through_their_depth(void) {
  static const uint8_t colour[][3] = {{0x7a, 0x10, 0x20}, {0xe8, 0xd8, 0xa0}, {0x10, 0x30, 0x70},
                                      {0xff, 0xc0, 0x05}, {0x00, 0x80, 0xee}, {0xee, 0xee, 0xee}};
  for (size_t c = 0; c < sizeof colour / sizeof *colour; ++c) {
    box wall, water;
    uint8_t seen[4];
    mote_material_def wine = mote_material_def_default();
    CHECK(wine.colour_depth == 0.05);
    if (c % 2) wine.colour_depth = 0.3;
    for (int k = 0; k < 3; ++k) wine.colour[k] = colour[c][k] / 255.0;
    mote_render_mesh mesh[2] = {white_wall(&wall),
                                slab(&water, 1, 0, wine.colour_depth, mote_look_of(&wine))};
    draw_middle(mesh, 2, seen);
    for (int k = 0; k < 3; ++k)  // white itself is displayed as 235, through clear liquid as 233
      CHECK_NEAR((double)seen[k], colour[c][k] > 238 ? 233 : colour[c][k], 5);
  }
}

static void absorption_may_be_given(void) {
  box wall, water;
  mote_render_mesh mesh[2] = {white_wall(&wall)};
  mote_material_def wine = mote_material_def_default();
  mote_render_def def = lightbox();
  mote_render_scene scene = mote_render_scene_default();
  mote_trace t;
  CHECK(mote_look_of(&wine).depth == 0 &&
        mote_look_of(&wine).absorption[0] == mote_look_water().absorption[0]);
  wine.colour[0] = 0.9, wine.absorption[0] = 10, wine.absorption[1] = 0, wine.absorption[2] = 2;
  mesh[1] = slab(&water, 1, 0, 0.1, mote_look_of(&wine));
  scene.mesh = mesh, scene.meshes = 2;
  if (build(&t, &def, &scene)) {
    mote_vec seen = look_at(&t, 8, 8, 32);
    CHECK_NEAR((double)(seen.x / seen.y), mote_exp(-1), 5e-3);
    CHECK_NEAR((double)(seen.z / seen.y), mote_exp(-0.2), 5e-3);
  }
  mote_trace_free(&t);
}

static void colliders_look_as_they_say(void) {
  mote_collider_def post = mote_collider_def_default();
  mote_look matte = mote_look_of_collider(&post);
  CHECK(matte.kind == MOTE_LOOK_MATTE);
  CHECK_NEAR((double)matte.colour[0], 0.3185, 1e-3);  // 0.6 of sRGB
  post.look = MOTE_COLLIDER_METAL;
  CHECK(mote_look_of_collider(&post).kind == MOTE_LOOK_METAL);
  CHECK(mote_look_of_collider(&post).colour[2] == matte.colour[2]);
  post.look = MOTE_COLLIDER_GLASS;
  mote_look clear = mote_look_of_collider(&post);
  CHECK(clear.kind == MOTE_LOOK_GLASS && clear.absorption[0] == 0 && clear.colour[0] == 1);
  post.colour[0] = 0.1;
  CHECK(mote_look_of_collider(&post).absorption[0] > 1 && mote_look_of_collider(&post).depth == 0.05F);
}

static float reflected(float a, float b) {
  return (a - b) * (a - b) / ((a + b) * (a + b));
}

// Water between two panes of glass, a little off them or a little into them: light crosses the boundaries of
// glass and water, without air between them.
static void vessels_hold_liquids_without_air(void) {
  static const double gap[2] = {0.004, -0.004};
  const float wall = 1 - reflected(1, 1.5F), inner = 1 - reflected(1.5F, 1.333F);
  for (int k = 0; k < 2; ++k) {
    box b[4];
    mote_trace t;
    mote_render_def def = lightbox();
    mote_render_scene scene = mote_render_scene_default();
    mote_collider_def pane = mote_collider_def_default();
    pane.look = MOTE_COLLIDER_GLASS;
    mote_look clear = mote_look_of_collider(&pane), water = mote_look_water();
    water.absorption[0] = 1, water.absorption[1] = water.absorption[2] = 0, water.depth = 0.2F;
    mote_render_mesh mesh[4] = {white_wall(&b[0]), slab(&b[1], 1, 0, 0.02, clear),
                                slab(&b[2], 0.3, 0.02 + gap[k], 0.22 - gap[k], water),
                                slab(&b[3], 1, 0.22, 0.24, clear)};
    mesh[1].vessel = mesh[3].vessel = true;
    scene.mesh = mesh, scene.meshes = 4;
    if (build(&t, &def, &scene)) {
      CHECK(t.vessel_gap > 0.008F);
      mote_vec seen = look_at(&t, 8, 8, 256);
      CHECK_NEAR((double)seen.y, (double)(wall * wall * inner * inner), 0.01);  // 0.820 with air between
      CHECK_NEAR((double)(seen.x / seen.y), mote_exp(-1), 0.02);
    }
    mote_trace_free(&t);
  }
}

int main(void) {
  liquids_have_their_colour_through_their_depth();
  absorption_may_be_given();
  colliders_look_as_they_say();
  vessels_hold_liquids_without_air();
  return test_end();
}
