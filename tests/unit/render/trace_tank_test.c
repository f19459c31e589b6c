// Rays through water in a tank: glass at walls and on the floor, shadows, caustics.
#include <mote/numeric.h>

#include "trace_oven.h"

// A cube whose sides end a little off the walls.
static void make_pool(mote_mesh *m, double *vertex, uint32_t *triangle, double off) {
  const double low[3] = {off, off, off}, high[3] = {1 - off, 1 - off, 1 - off};
  make_box(m, vertex, triangle, low, high);
}

static void glass_ends_at_the_tank(void) {
  double vertex[24];
  uint32_t triangle[36];
  mote_trace t;
  mote_render_def def = oven();
  mote_render_scene scene = mote_render_scene_default();
  mote_render_mesh pool = {.look = mote_look_water()};
  def.ground = (double)NAN;
  make_pool(&pool.mesh, vertex, triangle, 0.01);
  scene.mesh = &pool, scene.meshes = 1;
  for (int k = 0; k < 3; ++k) scene.low[k] = 0, scene.high[k] = k == 1 ? 4 : 1;
  if (build(&t, &def, &scene)) {
    const mote_thing *water = t.thing;
    for (size_t v = 0; v < 8; ++v) CHECK(v & 2 || water->vertex[3 * v + 1] + (float)t.middle[1] < 0);
    // At the wall from both sides, though the mesh ends elsewhere.
    mote_vec off = vec(3, (float)(0.5 - t.middle[1]), 0);
    mote_hit side = mote_trace_nearest(&t, (mote_ray){off, vec(-1, 0, 0), 0}, INFINITY, NULL, false, 0);
    CHECK_NEAR((double)side.t, 2.5, 1e-6);
    CHECK(side.look == &water->look && !side.back && side.normal.x == 1);
    mote_vec middle = vec(0, off.y, 0);
    side = mote_trace_nearest(&t, (mote_ray){middle, vec(0, 0, -1), 0}, INFINITY, &water->look, false, 0);
    CHECK_NEAR((double)side.t, 0.5, 1e-6);
    CHECK(side.back && side.normal.z == -1);
    // Above the water nothing of it is seen at the wall.
    off.y = (float)(2 - t.middle[1]);
    CHECK(isinf(mote_trace_nearest(&t, (mote_ray){off, vec(-1, 0, 0), 0}, INFINITY, NULL, false, 0).t));
    // Light that leaves through the wall was absorbed up to it: 0.4 m of 1/m.
    bool glass;
    float a = water->look.absorption[1];
    mote_ray out = {vec(0.1F, middle.y, 0), vec(1, 0, 0), 0};
    CHECK_NEAR((double)mote_trace_shadow(&t, out, INFINITY, &glass).y, mote_exp(-0.4 * (double)a), 1e-4);
    CHECK(glass);
    // From above through the water to the floor: nothing between them.
    mote_vec down = vec(0, -1, 0), inside = vec(0, (float)(0.5 - t.middle[1]), 0);
    mote_hit hit = mote_trace_nearest(&t, (mote_ray){inside, down, 0}, INFINITY, &water->look, false, 0);
    CHECK(hit.look == &t.floor.look);
  }
  mote_trace_free(&t);
}

// What is near a wall and does not end there stays as it is.
static void only_what_ends_at_walls_is_extended(void) {
  double vertex[24];
  uint32_t triangle[36];
  mote_trace t;
  mote_render_def def = oven();
  mote_render_scene scene = mote_render_scene_default();
  mote_render_mesh pool = {.look = mote_look_water()};
  make_pool(&pool.mesh, vertex, triangle, 0.02);
  scene.mesh = &pool, scene.meshes = 1;
  for (int k = 0; k < 3; ++k) scene.low[k] = 0, scene.high[k] = 1;
  if (build(&t, &def, &scene)) {
    CHECK(1.5F * t.thing->contact > 0.02F && 0.5F * t.thing->contact < 0.02F);
    for (size_t v = 0; v < 24; ++v) CHECK_NEAR((double)t.thing->vertex[v] + t.middle[v % 3], vertex[v], 1e-6);
  }
  mote_trace_free(&t);
}

// A drop at the wall x = 0, thinner than what is moved to it, keeps its inner side: flat, it would let light
// in and not out.
static void thin_drops_keep_their_inside(void) {
  double vertex[24];
  float normal[24] = {0};
  uint32_t triangle[36];
  mote_trace t;
  mote_render_def def = oven();
  mote_render_scene scene = mote_render_scene_default();
  mote_render_mesh drop = {.look = mote_look_water(), .normal = normal};
  def.ground = (double)NAN;
  make_pool(&drop.mesh, vertex, triangle, 0.3);
  for (size_t v = 0; v < 8; ++v) {
    vertex[3 * v] = v & 1 ? 0.012 : 0.004;
    normal[3 * v] = v & 1 ? 1.0F : -1.0F;
  }
  scene.mesh = &drop, scene.meshes = 1;
  for (int k = 0; k < 3; ++k) scene.low[k] = 0, scene.high[k] = 1;
  if (build(&t, &def, &scene)) {
    CHECK(1.5F * t.thing->contact > 0.012F);
    for (size_t v = 0; v < 8; ++v) {
      float x = t.thing->vertex[3 * v] + (float)t.middle[0];
      CHECK(v & 1 ? fabsf(x - 0.012F) < 1e-6F : x < 0);
    }
  }
  mote_trace_free(&t);
}

// Water stands on the floor and does not touch what lies on the floor behind its wall: at the wall's foot
// light is mirrored as higher up. A lamp outside, where a ray would go that was not, must not be seen.
static void walls_go_down_to_the_floor(void) {
  static const double lamp_at[3] = {0.5, 0.004, -0.004};
  const double down = 0.99 / hypot(0.99, 0.6),
               along = 0.6 / hypot(0.99, 0.6);  // in the water, to 1 cm above the floor
  double vertex[24];
  uint32_t triangle[36];
  mote_trace t;
  mote_render_def def = oven();
  mote_render_scene scene = mote_render_scene_default();
  mote_render_mesh pool = {.look = mote_look_water()};
  mote_render_spheres lamp = {
      .position = lamp_at, .count = 1, .radius = 0.002, .look = mote_look_matte(1, 1, 1)};
  lamp.look.glow = 10;
  double sine = (double)pool.look.index * along, cosine = sqrt(1 - sine * sine);
  CHECK((double)pool.look.index * down > 1);  // all of it is mirrored
  def.camera =
      (mote_camera_def){.from = {0.5, 1 + 2 * cosine, 0.6 + 2 * sine}, .to = {0.5, 1, 0.6}, .angle = 0.6};
  def.ground = 0, def.ground_look = mote_look_matte(0, 0, 0);
  make_pool(&pool.mesh, vertex, triangle, 0);
  scene.mesh = &pool, scene.meshes = 1;
  scene.spheres = &lamp, scene.sphere_sets = 1;
  if (build(&t, &def, &scene)) {
    even_sky(&t);
    CHECK((double)look_at(&t, 32, 32, 16).y < 0.1);
  }
  mote_trace_free(&t);
}

// Light comes through water to the floor below, dimmed but not gone.
static void water_casts_no_black_shadow(void) {
  double vertex[24];
  uint32_t triangle[36];
  mote_trace t;
  mote_render_def def = oven();
  mote_render_scene scene = mote_render_scene_default();
  mote_render_mesh pool = {.look = mote_look_water()};
  def.ground = 0, def.depth = 1;
  make_pool(&pool.mesh, vertex, triangle, 0);
  pool.look.absorption[0] = 1, pool.look.absorption[1] = 0;
  scene.mesh = &pool, scene.meshes = 1;
  if (build(&t, &def, &scene)) {
    const double at[3] = {0.4 - t.middle[0], 0.5 - t.middle[1], 0.7 - t.middle[2]};
    mote_vec light = mote_trace_shadow(&t, (mote_ray){vec_from_double(at), vec(0, 1, 0), 0}, INFINITY, NULL);
    CHECK_NEAR((double)light.y, 1 - 0.020373, 1e-5);
    CHECK_NEAR((double)(light.x / light.y), mote_exp(-0.5), 1e-5);
  }
  mote_trace_free(&t);
}

// All sunlight that a flat pool lets in comes to its floor, once: what the grid holds is what fell on the
// pool, less what was mirrored. The sun stands straight above; its half angle changes Fresnel's part by
// nothing to speak of.
static void caustics_keep_the_light(void) {
  double vertex[24];
  uint32_t triangle[36];
  mote_trace t;
  mote_render_def def = oven();
  mote_render_scene scene = mote_render_scene_default();
  mote_render_mesh pool = {.look = mote_look_water()};
  def.width = def.height = 200;
  def.ground = 0, def.depth = 1;
  def.sun[0] = 0, def.sun[1] = 1, def.sun[2] = 0;
  make_pool(&pool.mesh, vertex, triangle, 0);
  for (int k = 0; k < 3; ++k) pool.look.absorption[k] = k == 0 ? 1 : 0;
  scene.mesh = &pool, scene.meshes = 1;
  if (build(&t, &def, &scene) && CHECK(t.caustics.light != NULL)) {
    const mote_caustics *c = &t.caustics;
    double sum[2] = {0, 0}, area = (double)(c->cell * c->cell);
    for (int k = 0; k < c->wide * c->tall; ++k)
      sum[0] += area * (double)c->light[k].x, sum[1] += area * (double)c->light[k].y;
    CHECK_NEAR(sum[1], 1 - 0.020373, 0.01);
    CHECK_NEAR(sum[0] / sum[1], mote_exp(-1), 2e-3);
    // In the middle the light is even but for the noise of ninety rays.
    const double middle[3] = {0.5 - t.middle[0], -t.middle[1], 0.5 - t.middle[2]};
    CHECK_NEAR((double)mote_caustic_light(&t, vec_from_double(middle)).y, 0.98, 0.3);
    bool glass = false;
    mote_trace_shadow(&t, (mote_ray){vec_from_double(middle), vec(0.1F, 0.99F, 0), 0}, INFINITY, &glass);
    CHECK(glass);
  }
  mote_trace_free(&t);
}

// The cut face of water in a tank looks like that of the same water alone, and nowhere is more light than the
// sky has. Colours of absorption alone: the sky is even.
static void cuts_look_alike_in_a_tank(void) {
  double vertex[24], seen = 0, apart = 0;
  uint32_t triangle[36];
  mote_vec light[2][64];
  mote_render_def def = oven();
  mote_render_mesh pool = {.look = mote_look_water()};
  def.camera = (mote_camera_def){.from = {0.6, 0.7, 5}, .to = {0.5, 0.5, 0.5}, .angle = 0.3};
  def.cut[2] = -1, def.cut[3] = -0.55;
  def.depth = 0.2;
  for (int k = 0; k < 3; ++k) def.low[k] = 0, def.high[k] = 1;
  make_pool(&pool.mesh, vertex, triangle, 0);
  for (int tank = 0; tank < 2; ++tank) {
    mote_trace t;
    mote_render_scene scene = mote_render_scene_default();
    scene.mesh = &pool, scene.meshes = 1;
    for (int k = 0; tank && k < 3; ++k) scene.low[k] = 0, scene.high[k] = k == 1 ? 4 : 1;
    if (build(&t, &def, &scene)) {
      even_sky(&t);
      for (int k = 0; k < 64; ++k) light[tank][k] = look_at(&t, 25 + 2 * (k % 8), 25 + 2 * (k / 8), 4);
      mote_hit face = mote_trace_nearest(&t, (mote_ray){t.eye, t.forward, 0}, INFINITY, NULL, false, 0);
      CHECK(!face.back && face.normal.z == 1 && face.look == &t.thing->look);
    }
    mote_trace_free(&t);
  }
  for (int k = 0; k < 64; ++k) {
    const mote_vec *a = &light[0][k], *b = &light[1][k];
    CHECK(vec_max(*b) < 1.001F);
    seen += (double)vec_mean(*a);
    apart += (double)(fabsf(a->x - b->x) + fabsf(a->y - b->y) + fabsf(a->z - b->z)) / 3;
  }
  CHECK(seen > 64 * 0.05 && seen < 64 * 0.8);
  CHECK(apart < 0.02 * seen);
}

// A section shows the water before a ball in it, in a tank and without one.
static void a_cut_shows_water_before_a_ball(void) {
  static const double ball_at[3] = {0.5, 0.5, 0.3};
  double vertex[24];
  uint32_t triangle[36];
  mote_render_def def = oven();
  mote_render_mesh pool = {.look = mote_look_water()};
  mote_render_spheres ball = {
      .position = ball_at, .count = 1, .radius = 0.1, .look = mote_look_matte(1, 1, 1)};
  def.cut[2] = -1, def.cut[3] = -0.55;
  make_pool(&pool.mesh, vertex, triangle, 0);
  for (int tank = 0; tank < 2; ++tank) {
    mote_trace t;
    mote_render_scene scene = mote_render_scene_default();
    scene.mesh = &pool, scene.meshes = 1, scene.spheres = &ball, scene.sphere_sets = 1;
    for (int k = 0; tank && k < 3; ++k) scene.low[k] = 0, scene.high[k] = 1;
    if (build(&t, &def, &scene)) {
      mote_ray ray = {vec(0, 0, 3), vec(0, 0, -1), 0};
      mote_hit hit = mote_trace_nearest(&t, ray, INFINITY, NULL, false, 0);
      CHECK(hit.look == &t.thing->look && !hit.back && hit.normal.z == 1);
      CHECK_NEAR((double)hit.t, 3 + t.middle[2] - 0.55, 1e-5);
    }
    mote_trace_free(&t);
  }
}

// A block in water: the mesh of the water reaches into it, and its cut face is seen all the same.
static void a_cut_shows_a_block_in_water(void) {
  static const double low[2][3] = {{0.4, 0.4, 0.3}, {0.41, 0.41, 0.31}};
  static const double high[2][3] = {{0.6, 0.6, 0.6}, {0.59, 0.59, 0.59}};
  double vertex[48], block_vertex[24];
  uint32_t triangle[72], block_triangle[36];
  mote_render_def def = oven();
  mote_mesh hole;
  mote_render_mesh both[2] = {{.look = mote_look_water()}, {.look = mote_look_matte(1, 1, 1)}};
  def.cut[2] = -1, def.cut[3] = -0.55;
  make_pool(&both[0].mesh, vertex, triangle, 0);
  make_box(&hole, vertex + 24, triangle + 36, low[1], high[1]);
  for (int k = 36; k < 72; k += 3) {  // inside out
    uint32_t last = triangle[k + 2];
    triangle[k] += 8, triangle[k + 2] = triangle[k + 1] + 8, triangle[k + 1] = last + 8;
  }
  both[0].mesh.vertices = 16, both[0].mesh.triangles = 24;
  make_box(&both[1].mesh, block_vertex, block_triangle, low[0], high[0]);
  for (int tank = 0; tank < 2; ++tank) {
    mote_trace t;
    mote_render_scene scene = mote_render_scene_default();
    scene.mesh = both, scene.meshes = 2;
    for (int k = 0; tank && k < 3; ++k) scene.low[k] = 0, scene.high[k] = 1;
    if (build(&t, &def, &scene)) {
      mote_ray ray = {vec(0, 0, 3), vec(0, 0, -1), 0}, aside = {vec(0.3F, 0, 3), vec(0, 0, -1), 0};
      mote_hit hit = mote_trace_nearest(&t, ray, INFINITY, NULL, false, 0);
      CHECK(hit.look == &t.thing[1].look && !hit.back && hit.normal.z == 1);
      CHECK_NEAR((double)hit.t, 3 + t.middle[2] - 0.55, 1e-5);
      hit = mote_trace_nearest(&t, aside, INFINITY, NULL, false, 0);
      CHECK(hit.look == &t.thing[0].look && !hit.back && hit.normal.z == 1);
    }
    mote_trace_free(&t);
  }
}

// A block that stands in the side of the water: where the water ends inside the block, behind the cut or at
// its sides, the face is the block's.
static void a_cut_shows_a_block_at_the_side_of_water(void) {
  static const double low[2][3] = {{0, 0, 0.45}, {0.4, 0.4, 0.3}}, high[2][3] = {{1, 1, 1}, {0.6, 0.6, 0.6}};
  double vertex[2][24];
  uint32_t triangle[2][36];
  mote_render_def def = oven();
  mote_render_mesh both[2] = {{.look = mote_look_water()}, {.look = mote_look_matte(1, 1, 1)}};
  def.cut[2] = -1, def.cut[3] = -0.55;
  for (int k = 0; k < 2; ++k) make_box(&both[k].mesh, vertex[k], triangle[k], low[k], high[k]);
  for (int tank = 0; tank < 2; ++tank) {
    mote_trace t;
    mote_render_scene scene = mote_render_scene_default();
    scene.mesh = both, scene.meshes = 2;
    for (int k = 0; tank && k < 3; ++k) scene.low[k] = 0, scene.high[k] = 1;
    if (build(&t, &def, &scene)) {
      for (int k = 0; k < 2; ++k) {
        const double at[3] = {(k == 0 ? 0.5 : 0.2) - t.middle[0], 0.5 - t.middle[1], 3};
        mote_ray ray = {vec_from_double(at), vec(0, 0, -1), 0};
        mote_hit hit = mote_trace_nearest(&t, ray, INFINITY, NULL, false, 0);
        CHECK(hit.look == &t.thing[k == 0].look && !hit.back && hit.normal.z == 1);
        CHECK_NEAR((double)hit.t, 3 + t.middle[2] - 0.55, 1e-5);
      }
    }
    mote_trace_free(&t);
  }
}

// Water that ends 2 mm above a plate is drawn into it: no ray passes between them.
static void liquids_meet_other_meshes(void) {
  static const double low[2][3] = {{0, 0.002, 0}, {-0.5, -0.1, -0.5}},
                      high[2][3] = {{1, 1, 1}, {1.5, 0, 1.5}};
  double vertex[2][24];
  uint32_t triangle[2][36];
  mote_trace t;
  mote_render_def def = oven();
  mote_render_scene scene = mote_render_scene_default();
  mote_render_mesh both[2] = {{.look = mote_look_water()}, {.look = mote_look_matte(1, 1, 1)}};
  for (int k = 0; k < 2; ++k) make_box(&both[k].mesh, vertex[k], triangle[k], low[k], high[k]);
  scene.mesh = both, scene.meshes = 2;
  if (build(&t, &def, &scene)) {
    const double at[3] = {0.3 - t.middle[0], 0.001 - t.middle[1], 3};
    mote_ray ray = {vec_from_double(at), vec(0, 0, -1), 0};
    mote_hit hit = mote_trace_nearest(&t, ray, INFINITY, NULL, false, 0);
    CHECK(hit.look == &t.thing[0].look && !hit.back);
    for (size_t v = 0; v < 8; ++v) {  // the top stays; the foot reaches a little into the plate
      double y = (double)t.thing->vertex[3 * v + 1] + t.middle[1];
      CHECK(v & 2 ? fabs(y - 1) < 1e-6 : y < 0 && y > -0.02);
    }
  }
  mote_trace_free(&t);
}

int main(void) {
  liquids_meet_other_meshes();
  a_cut_shows_a_block_at_the_side_of_water();
  a_cut_shows_a_block_in_water();
  cuts_look_alike_in_a_tank();
  a_cut_shows_water_before_a_ball();
  glass_ends_at_the_tank();
  only_what_ends_at_walls_is_extended();
  thin_drops_keep_their_inside();
  walls_go_down_to_the_floor();
  water_casts_no_black_shadow();
  caustics_keep_the_light();
  return test_end();
}
