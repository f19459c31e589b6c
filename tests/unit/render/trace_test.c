// Rays: ellipsoids against bisection, furnaces in which everything has the brightness of the sky, outlines,
// shadows, sections, motion.
#include <mote/numeric.h>

#include "trace_oven.h"

static const double HERE[3] = {0, 0, 0};

static double furnace(mote_look look, double x, uint32_t samples) {
  mote_trace t;
  mote_render_def def = oven();
  mote_render_spheres ball = {.position = HERE, .count = 1, .radius = 1, .look = look};
  mote_render_scene scene = mote_render_scene_default();
  scene.spheres = &ball, scene.sphere_sets = 1;
  double light = 0;
  if (build(&t, &def, &scene)) {
    even_sky(&t);
    light = (double)look_at(&t, x, 32, samples).y;
  }
  mote_trace_free(&t);
  return light;
}

// A thing that absorbs nothing cannot be seen in a sky of one brightness. A coat of single scattering loses
// what its facets would reflect twice: little when it is smooth.
static void white_things_vanish_in_a_furnace(void) {
  mote_look metal = {.kind = MOTE_LOOK_METAL, .colour = {1, 1, 1}, .roughness = 0.2F, .index = 1.5F};
  mote_look glass = {.kind = MOTE_LOOK_GLASS, .colour = {1, 1, 1}, .index = 1.5F}, frosted = glass;
  frosted.roughness = 0.3F;
  for (int x = 32; x < 48; x += 5) {
    CHECK_NEAR(furnace(mote_look_matte(1, 1, 1), x, 64), 1, 1e-5);
    CHECK_NEAR(furnace(glass, x, 64), 1, 1e-4);
    CHECK_NEAR(furnace(frosted, x, 64), 1, 1e-4);
    CHECK_NEAR(furnace(metal, x, 256), 1, 0.01);
    CHECK_NEAR(furnace(mote_look_glossy(1, 1, 1), x, 4096), 1, 0.03);
  }
  CHECK_NEAR(furnace(mote_look_matte(0.5F, 0.5F, 0.5F), 32, 64), 0.5, 1e-5);
}

// Through the middle of a ball of index 1.5 the light goes straight, is reflected R = 0.04 at each boundary
// and absorbed exp(-2 a) on each way: R + (1 - R)^2 e / (1 - R e) in all where the sky is 1.
static void glass_absorbs_as_beer_says(void) {
  mote_trace t;
  mote_render_def def = oven();
  def.depth = 1;
  mote_look look = {.kind = MOTE_LOOK_GLASS, .colour = {1, 1, 1}, .index = 1.5F, .absorption = {0, 0.3F, 1}};
  mote_render_spheres ball = {.position = HERE, .count = 1, .radius = 1, .look = look};
  mote_render_scene scene = mote_render_scene_default();
  scene.spheres = &ball, scene.sphere_sets = 1;
  if (build(&t, &def, &scene)) {
    even_sky(&t);
    mote_vec light = look_at(&t, 32, 32, 4096);
    double R = 0.04;
    for (int k = 0; k < 3; ++k) {
      double e = mote_exp(-2 * (double)look.absorption[k]), seen = (double)(k == 0   ? light.x
                                                                            : k == 1 ? light.y
                                                                                     : light.z);
      CHECK_NEAR(seen, R + (1 - R) * (1 - R) * e / (1 - R * e), 2e-3);
    }
  }
  mote_trace_free(&t);
}

// --- Ellipsoids
// -------------------------------------------------------------------------------------------------

static double level(const double G[6], const double centre[3], const double x[3]) {
  double r[3], y[3];
  for (int k = 0; k < 3; ++k) r[k] = x[k] - centre[k];
  y[0] = G[0] * r[0] + G[1] * r[1] + G[2] * r[2];
  y[1] = G[1] * r[0] + G[3] * r[1] + G[4] * r[2];
  y[2] = G[2] * r[0] + G[4] * r[1] + G[5] * r[2];
  return y[0] * y[0] + y[1] * y[1] + y[2] * y[2] - 1;
}

static double level_at(const double G[6], const double c[3], mote_vec from, mote_vec to, double s) {
  const double x[3] = {(double)from.x + s * (double)to.x, (double)from.y + s * (double)to.y,
                       (double)from.z + s * (double)to.z};
  return level(G, c, x);
}

// The slow way: steps along the ray, then bisection of the first step that changes sign.
static bool march(const double G[6], const double c[3], mote_vec from, mote_vec to, double *t) {
  for (int k = 0; k < 4000; ++k) {
    double a = 10.0 * k / 4000, b = 10.0 * (k + 1) / 4000;
    if (level_at(G, c, from, to, a) <= 0 || level_at(G, c, from, to, b) > 0) continue;
    for (int n = 0; n < 60; ++n) {
      double m = (a + b) / 2;
      *(level_at(G, c, from, to, m) > 0 ? &a : &b) = m;
    }
    *t = a;
    return true;
  }
  return false;
}

static void ellipsoids_are_where_bisection_finds_them(void) {
  int met = 0;
  for (uint64_t i = 0; i < 400; ++i) {
    double u[16], G[6], c[3], reach[3];
    for (uint64_t k = 0; k < 16; ++k) u[k] = mote_random_uniform(11, i, k) - 0.5;
    for (int k = 0; k < 6; ++k) G[k] = k == 0 || k == 3 || k == 5 ? 1.2 + 1.6 * (u[k] + 0.5) : 0.6 * u[k];
    mote_quadric q = {.move = {0, 0, 0}};
    for (int k = 0; k < 6; ++k) q.G[k] = (float)G[k], G[k] = (double)q.G[k];
    q.centre = vec((float)u[6], (float)u[7], (float)u[8]);
    c[0] = (double)q.centre.x, c[1] = (double)q.centre.y, c[2] = (double)q.centre.z;
    mote_vec from = vec((float)u[9], (float)u[10], 5), aim = vec((float)u[11], (float)u[12], 0);
    mote_vec to = vec_unit(vec_sub(aim, from));
    float near, far;
    double t = 0;
    bool found = mote_quadric_cross(&q, (mote_ray){from, to, 0}, &near, &far),
         expected = march(G, c, from, to, &t);
    if (expected && far - near > 0.01F) {
      CHECK(found);
      CHECK_NEAR((double)near, t, 2e-5);
      CHECK_NEAR(level_at(G, c, from, to, (double)far), 0, 2e-4);
      mote_vec at = vec_along(from, to, near), n = mote_quadric_normal(&q, at, 0);
      CHECK_NEAR((double)vec_length(n), 1, 1e-5);
      CHECK(vec_dot(n, to) < 0);
      CHECK(mote_quadric_reach(G, reach));
      CHECK(fabs((double)at.x - c[0]) <= reach[0] + 1e-4 && fabs((double)at.y - c[1]) <= reach[1] + 1e-4 &&
            fabs((double)at.z - c[2]) <= reach[2] + 1e-4);
      ++met;
    }
    CHECK(expected || !found || far - near < 0.02F);
  }
  CHECK(met > 100);
  const double none[6] = {1, 0, 0, 1, 0, 0};
  double reach[3];
  CHECK(!mote_quadric_reach(none, reach));
}

// --- Outlines, shadows, sections
// ------------------------------------------------------------------------------------

// Seen from distance d a sphere reaches to the slope r / sqrt(d^2 - r^2).
static void a_sphere_has_its_outline(void) {
  mote_trace t;
  mote_render_def def = oven();
  mote_render_spheres ball = {.position = HERE, .count = 1, .radius = 1, .look = mote_look_matte(0, 0, 0)};
  mote_render_scene scene = mote_render_scene_default();
  scene.spheres = &ball, scene.sphere_sets = 1;
  if (build(&t, &def, &scene)) {
    even_sky(&t);
    double edge = 32 + t.camera.scale / sqrt(24);
    CHECK(look_at(&t, edge - 0.02, 32, 1).x == 0);
    CHECK(look_at(&t, edge + 0.02, 32, 1).x == 1);
    CHECK(look_at(&t, 32, 64 - edge + 0.02, 1).x == 0);
    CHECK(look_at(&t, 32, 64 - edge - 0.02, 1).x == 1);
  }
  mote_trace_free(&t);
}

// A ball of radius 1 at height 2, the sun at 45 degrees: on the floor the shadow's middle is 2 aside, its
// half axes are 1 across and sqrt 2 along. The sun's half angle of 0.035 blurs the edge by 0.035 * 2 sqrt 2
// at most (times sqrt 2 along).
static void shadows_fall_where_they_should(void) {
  const double above[3] = {0, 2, 0};
  mote_trace t;
  mote_render_def def = oven();
  def.ground = 0;
  def.sun[0] = -1, def.sun[1] = 1, def.sun[2] = 0;
  mote_render_spheres ball = {.position = above, .count = 1, .radius = 1, .look = mote_look_matte(0, 0, 0)};
  mote_render_scene scene = mote_render_scene_default();
  scene.spheres = &ball, scene.sphere_sets = 1;
  if (build(&t, &def, &scene)) {
    for (int k = 0; k < 200; ++k) {
      double x = -1 + 6 * mote_random_uniform(1, 0, (uint64_t)k),
             z = -2 + 4 * mote_random_uniform(1, 1, (uint64_t)k);
      double part = sqrt((x - 2) * (x - 2) / 2 + z * z);
      const double at[3] = {x - t.middle[0], 1e-4 - t.middle[1], z - t.middle[2]};
      float light = mote_trace_shadow(&t, (mote_ray){vec_from_double(at), t.sky.sun, 0}, INFINITY, NULL).x;
      if (part < 0.999) CHECK(light == 0);
      if (part > 1.001) CHECK(light == 1);
    }
    CHECK(mote_trace_shadow(&t, (mote_ray){vec_all(0), vec_scale(t.sky.up, -1), 0}, INFINITY, NULL).x == 0);
  }
  mote_trace_free(&t);
}

// A section through the middle shows a disc of the ball's own colour facing it; a ball of glass has a flat
// face there.
static void sections_close_what_they_cut(void) {
  mote_trace t;
  mote_render_def def = oven();
  def.cut[2] = -1, def.cut[3] = 0;  // -z <= 0 is left out: the half towards the eye
  mote_render_spheres ball = {
      .position = HERE, .count = 1, .radius = 1, .look = mote_look_matte(0.5F, 0.5F, 0.5F)};
  mote_render_scene scene = mote_render_scene_default();
  scene.spheres = &ball, scene.sphere_sets = 1;
  if (build(&t, &def, &scene)) {
    even_sky(&t);
    mote_hit hit = mote_trace_nearest(&t, (mote_ray){t.eye, vec(0, 0, -1), 0}, INFINITY, NULL, true, 0);
    CHECK_NEAR((double)hit.t, 5, 1e-5);
    CHECK(vec_dot(hit.face, vec(0, 0, 1)) > 0.9999F && !hit.back);
    CHECK_NEAR((double)look_at(&t, 32, 32, 16).y, 0.5, 1e-5);
    mote_hit out = mote_trace_nearest(&t, (mote_ray){vec(0, 0, -0.5F), vec(0, 0, 1), 0}, INFINITY,
                                      &t.thing[0].look, false, 0);
    CHECK(out.back);
    CHECK_NEAR((double)out.t, 0.5, 1e-5);
  }
  mote_trace_free(&t);
}

// --- Motion
// ------------------------------------------------------------------------------------------------

// A ball and a square that fly to the right at 3 m/s for a shutter of 1 s: met where they are at the ray's
// time.
static void moving_things_are_met_where_they_are(void) {
  static const double corner[12] = {-0.5, -0.5, 2, 0.5, -0.5, 2, 0.5, 0.5, 2, -0.5, 0.5, 2};
  static const uint32_t halves[6] = {0, 1, 2, 0, 2, 3};
  float velocity[12] = {3, 0, 0, 3, 0, 0, 3, 0, 0, 3, 0, 0};
  double vertex[12];
  uint32_t triangle[6];
  mote_trace t;
  mote_render_def def = oven();
  mote_render_scene scene = mote_render_scene_default();
  memcpy(vertex, corner, sizeof corner), memcpy(triangle, halves, sizeof halves);
  mote_render_mesh square = {
      .mesh = {vertex, triangle, 4, 2}, .velocity = velocity, .look = mote_look_matte(1, 1, 1)};
  mote_render_spheres ball = {
      .position = HERE, .count = 1, .radius = 0.5, .velocity = velocity, .look = mote_look_matte(1, 1, 1)};
  scene.mesh = &square, scene.meshes = 1;
  scene.spheres = &ball, scene.sphere_sets = 1;
  def.camera.shutter = 1;
  for (int k = 0; k < 3; ++k) def.low[k] = -3, def.high[k] = 3;
  if (build(&t, &def, &scene)) {
    for (int k = 0; k <= 4; ++k) {
      float time = 0.25F * (float)k, x = 3 * (time - 0.5F);
      mote_hit front =
          mote_trace_nearest(&t, (mote_ray){vec(x, 0, 5), vec(0, 0, -1), time}, INFINITY, NULL, false, 0);
      mote_hit back =
          mote_trace_nearest(&t, (mote_ray){vec(x, 0, -5), vec(0, 0, 1), time}, INFINITY, NULL, false, 0);
      CHECK_NEAR((double)front.t, 3, 1e-5);
      CHECK_NEAR((double)back.t, 4.5, 1e-5);
      CHECK_NEAR((double)back.normal.z, -1, 1e-5);
      mote_ray beside = {vec(x + 0.6F, 0, 5), vec(0, 0, -1), time};
      CHECK(isinf(mote_trace_nearest(&t, beside, INFINITY, NULL, false, 0).t));
    }
  }
  mote_trace_free(&t);
}

// A black ball of width 1 that flies 3 m while the shutter is open hides a point for a third of the time.
static void motion_blurs_by_the_time_spent(void) {
  float velocity[3] = {3, 0, 0};
  mote_trace t;
  mote_render_def def = oven();
  mote_render_scene scene = mote_render_scene_default();
  mote_render_spheres ball = {
      .position = HERE, .count = 1, .radius = 0.5, .velocity = velocity, .look = mote_look_matte(0, 0, 0)};
  scene.spheres = &ball, scene.sphere_sets = 1;
  def.camera.shutter = 1;
  for (int k = 0; k < 3; ++k) def.low[k] = -3, def.high[k] = 3;
  if (build(&t, &def, &scene)) {
    even_sky(&t);
    CHECK_NEAR((double)look_at(&t, 32, 32, 4096).y, 2.0 / 3, 0.02);  // black for a third of the time
    t.shutter = 0;
    CHECK_NEAR((double)look_at(&t, 32, 32, 16).y, 1,
               1e-6);  // where it was when the shutter opened: elsewhere
  }
  mote_trace_free(&t);
}

// A puff of optical depth 1 along its diameter: absorption 15/16 of a radius of 1. Rays go through with
// exp(-1).
static void puffs_let_light_through(void) {
  mote_trace t;
  mote_render_def def = oven();
  def.depth = 1;
  mote_look look = {.kind = MOTE_LOOK_PUFF, .colour = {0, 0, 0}, .absorption = {15.0F / 16.0F}};
  mote_render_spheres puff = {.position = HERE, .count = 1, .radius = 1, .look = look};
  mote_render_scene scene = mote_render_scene_default();
  scene.spheres = &puff, scene.sphere_sets = 1;
  if (build(&t, &def, &scene)) {
    even_sky(&t);
    CHECK_NEAR((double)mote_trace_shadow(&t, (mote_ray){vec(0, 0, 3), vec(0, 0, -1), 0}, INFINITY, NULL).x,
               mote_exp(-1), 1e-5);
    CHECK_NEAR((double)look_at(&t, 32, 32, 4096).x, mote_exp(-1), 4 * 0.5 / 64);
  }
  mote_trace_free(&t);
}

int main(void) {
  white_things_vanish_in_a_furnace();
  glass_absorbs_as_beer_says();
  ellipsoids_are_where_bisection_finds_them();
  a_sphere_has_its_outline();
  shadows_fall_where_they_should();
  sections_close_what_they_cut();
  moving_things_are_met_where_they_are();
  motion_blurs_by_the_time_spent();
  puffs_let_light_through();
  return test_end();
}
