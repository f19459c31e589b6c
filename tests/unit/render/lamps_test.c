// Lamps: the light that they give to a matte wall against formulas, by shadow rays and by paths that meet
// them; what is seen of them; shadows; wrong ones by name.
#include "trace_oven.h"

#define PI 3.14159265358979

typedef struct room {
  double vertex[24];
  uint32_t triangle[36];
  mote_render_mesh wall;
  mote_render_scene scene;
  mote_render_def def;
} room;

// A matte wall of 0.5 in the plane z = 0, seen from z = 5, without any other light.
static void furnish(room *r, const mote_lamp_def *lamp) {
  const double low[3] = {-20, -20, -1}, high[3] = {20, 20, 0};
  *r = (room){.scene = mote_render_scene_default(), .def = oven()};
  r->wall.look = mote_look_matte(0.5F, 0.5F, 0.5F);
  make_box(&r->wall.mesh, r->vertex, r->triangle, low, high);
  r->scene.mesh = &r->wall, r->scene.meshes = 1;
  r->scene.lamp = lamp, r->scene.lamps = 1;
  r->def.sun_strength = r->def.sky_strength = 0, r->def.bounces = 1;
  r->def.low[0] = r->def.low[1] = r->def.low[2] = -2, r->def.high[0] = r->def.high[1] = r->def.high[2] = 2;
}

// The light of the wall at the origin over 0.5 / pi: its irradiance.
static double irradiance(const room *r, uint32_t paths) {
  mote_trace t;
  double found = (double)NAN;
  if (build(&t, &r->def, &r->scene)) found = (double)look_at(&t, 32, 32, paths).y * PI / 0.5;
  mote_trace_free(&t);
  return found;
}

static void spheres_give_their_power(void) {
  room r;
  mote_lamp_def lamp = mote_lamp_def_default();
  const double at[3] = {1.2, 0, 1.6};  // 2 m away, at a cosine of 0.8
  memcpy(lamp.centre, at, sizeof at);
  for (int k = 0; k < 3; ++k) {
    lamp.radius = k == 0 ? 0.001 : k == 1 ? 0.1 : 1;
    furnish(&r, &lamp);
    CHECK_NEAR(irradiance(&r, k < 2 ? 64 : 2048), 60 / (4 * PI * 4) * 0.8, 0.01);
  }
}

// A large one, near, that most paths meet by chance; and its back, which is dark.
static void rectangles_shine_to_one_side(void) {
  room r;
  mote_lamp_def lamp = mote_lamp_def_default();
  lamp.kind = MOTE_LAMP_RECTANGLE, lamp.power = 8;
  const double at[3] = {0, 0, 8}, to[3] = {0, 0, -2};
  memcpy(lamp.centre, at, sizeof at), memcpy(lamp.direction, to, sizeof to);
  lamp.size[0] = 8, lamp.size[1] = 4;
  furnish(&r, &lamp);
  double x = 0.5, y = 0.25, a = sqrt(1 + x * x), b = sqrt(1 + y * y);  // half sides by the distance
  double seen = 4 / (2 * PI) * (x / a * atan(y / a) + y / b * atan(x / b));
  CHECK_NEAR(irradiance(&r, 1024), seen * 8 / 32, 0.01 * seen * 8 / 32);
  lamp.direction[2] = 1;
  CHECK(irradiance(&r, 16) == 0);
}

static void distant_lamps_give_their_irradiance(void) {
  room r;
  mote_lamp_def lamp = mote_lamp_def_default();
  lamp.kind = MOTE_LAMP_DISTANT, lamp.irradiance = 3;
  const double to[3] = {-0.6, 0, -0.8}, red[3] = {1, 0.5, 0};
  memcpy(lamp.direction, to, sizeof to), memcpy(lamp.colour, red, sizeof red);
  furnish(&r, &lamp);
  CHECK_NEAR(irradiance(&r, 64), 0.8 * 3 * 0.2140, 0.01);  // 0.5 of sRGB
}

// Directly: its radiance, on the side to which it shines, before what is behind it.
static void lamps_are_seen(void) {
  room r;
  mote_trace t;
  mote_lamp_def lamp = mote_lamp_def_default();
  lamp.kind = MOTE_LAMP_RECTANGLE, lamp.power = 2 * PI;
  const double at[3] = {0, 0, 1}, to[3] = {0, 0, 1};
  memcpy(lamp.centre, at, sizeof at), memcpy(lamp.direction, to, sizeof to);
  lamp.size[0] = lamp.size[1] = 1;
  furnish(&r, &lamp);
  if (build(&t, &r.def, &r.scene)) CHECK_NEAR((double)look_at(&t, 32, 32, 4).x, 2, 1e-4);
  mote_trace_free(&t);
  lamp.direction[2] = -1;
  if (build(&t, &r.def, &r.scene)) CHECK_NEAR((double)look_at(&t, 32, 32, 64).x, 0.5 * 2 * 0.2395, 0.01);
  mote_trace_free(&t);
}

static void what_is_before_a_lamp_casts_a_shadow(void) {
  static const double between[3] = {0.6, 0, 0.8}, behind[3] = {2.4, 0, 3.2};
  room r;
  mote_lamp_def lamp = mote_lamp_def_default();
  const double at[3] = {1.2, 0, 1.6};
  memcpy(lamp.centre, at, sizeof at);
  mote_render_spheres ball = {
      .position = between, .count = 1, .radius = 0.2, .look = mote_look_matte(0, 0, 0)};
  furnish(&r, &lamp);
  r.scene.spheres = &ball, r.scene.sphere_sets = 1;
  CHECK(irradiance(&r, 16) == 0);
  ball.position = behind;  // nothing beyond the lamp does
  CHECK_NEAR(irradiance(&r, 16), 60 / (4 * PI * 4) * 0.8, 0.05);
}

static bool refused(const room *r, const char *key) {
  mote_image *image = NULL;
  mote_error error = {0};
  bool good = mote_render_draw(&r->def, &r->scene, NULL, &image, &error) == MOTE_ERROR_ARGUMENT &&
              strcmp(error.key, key) == 0;
  if (!good) fprintf(stderr, "  \"%s\": %s\n", error.key, error.text);
  return good;
}

static void wrong_lamps_are_named(void) {
  room r;
  mote_lamp_def lamp = mote_lamp_def_default();
  furnish(&r, &lamp);
  CHECK(refused(&r, "lamp[0].centre"));
  lamp.centre[0] = lamp.centre[1] = lamp.centre[2] = 0, lamp.radius = 0;
  CHECK(refused(&r, "lamp[0].radius"));
  lamp.radius = 1, lamp.power = (double)INFINITY;
  CHECK(refused(&r, "lamp[0].power"));
  lamp.power = 1, lamp.colour[1] = 2;
  CHECK(refused(&r, "lamp[0].colour"));
  lamp.colour[1] = 1, lamp.kind = MOTE_LAMP_DISTANT, lamp.direction[1] = 0;
  CHECK(refused(&r, "lamp[0].direction"));
  lamp.direction[1] = 1, lamp.angle = 0;
  CHECK(refused(&r, "lamp[0].angle"));
  lamp.angle = 1, lamp.kind = MOTE_LAMP_RECTANGLE, lamp.size[1] = (double)NAN;
  CHECK(refused(&r, "lamp[0].size"));
  r.scene.lamp = NULL;
  CHECK(refused(&r, "lamp"));
  mote_environment empty = {0};
  r.scene.lamps = 0, r.def.environment = &empty;
  CHECK(refused(&r, "environment"));
}

int main(void) {
  spheres_give_their_power();
  rectangles_shine_to_one_side();
  distant_lamps_give_their_irradiance();
  lamps_are_seen();
  what_is_before_a_lamp_casts_a_shadow();
  wrong_lamps_are_named();
  return test_end();
}
