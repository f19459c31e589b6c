// Vessels with water at rest: see vessels.h.
#include "validate/world/vessels.h"

#include <math.h>

#include "cli/base/app_assert.h"

#define SPHERE_RADIUS 0.5  // of the sphere
#define G 9.81

const char *vessel_name(vessel_kind kind) {
  APP_ASSERT(kind < VESSEL_KINDS);
  static const char *const names[VESSEL_KINDS] = {"box", "L-shaped mesh", "sphere"};
  return names[kind];
}

void vessel_make(vessel_kind kind, mote_pressure_kind pressure, int rows, vessel *out) {
  APP_ASSERT(kind < VESSEL_KINDS && rows > 0);
  *out = (vessel){.kind = kind, .def = mote_world_def_default(), .depth = 0.5};
  out->def.spacing = out->depth / rows;
  out->def.solver.pressure = pressure;
  if (kind == VESSEL_SPHERE) out->floor = -SPHERE_RADIUS;  // about the origin, half full
  if (kind == VESSEL_BOX) {
    for (int a = 0; a < 3; ++a) {
      out->def.low[a] = 0.0, out->def.high[a] = a == 1 ? 1.0 : 0.5;
      out->def.side[a][0] = out->def.side[a][1] = MOTE_SIDE_WALL;
    }
    out->def.side[1][1] = MOTE_SIDE_OPEN;
  }
}

double vessel_floor_under(const vessel *pool, const double x[3]) {
  if (pool->kind != VESSEL_SPHERE) return pool->floor;
  return -sqrt(fmax(SPHERE_RADIUS * SPHERE_RADIUS - x[0] * x[0] - x[2] * x[2], 0.0));
}

// 0 within two spacings of where `distance` is 0, 1 farther than three. Were it a step, it would cut through
// a row of particles and take those of one side only, which have pressures of that side: the slope of ten
// rows would be wrong by up to 0.05, as the step happens to lie.
static double inside_weight(double distance, double spacing) {
  APP_ASSERT(spacing > 0.0);
  return fmin(fmax(distance / spacing - 2.0, 0.0), 1.0);
}

static void add_to_fit(vessel_fit *fit, double w, double y, double p) {
  fit->n += w, fit->y += w * y, fit->p += w * p, fit->yy += w * y * y, fit->yp += w * y * p;
}

void vessel_add_pressures(const mote_world *world, const vessel *pool, vessel_fit *inner,
                          vessel_fit *to_floor) {
  mote_field_view position = mote_world_view(world, "position"), p = mote_world_view(world, "pressure");
  double d = pool->def.spacing;
  for (size_t i = 0; i < position.count; ++i) {
    const double *x = (const double *)position.data + 3 * i;
    double y = x[1], pressure = (double)((const float *)p.data)[i];
    double below = inside_weight(pool->floor + pool->depth - y, d);
    add_to_fit(inner, inside_weight(y - vessel_floor_under(pool, x), d) * below, y, pressure);
    add_to_fit(to_floor, below, y, pressure);
  }
}

double vessel_slope(const vessel_fit *fit) {
  APP_ASSERT(fit->n > 0.0);
  double slope = (fit->n * fit->yp - fit->y * fit->p) / (fit->n * fit->yy - fit->y * fit->y);
  return -slope / (mote_material_def_default().density * G);
}

// A prism over an L in the plane y = 0, one unit wide and half a unit in each arm.
#define PRISM_CORNERS 6
static const double corner[PRISM_CORNERS][2] = {{0, 0},     {0.8, 0},   {0.8, 0.4},
                                                {0.4, 0.4}, {0.4, 0.8}, {0, 0.8}};
static double prism_vertex[2 * PRISM_CORNERS * 3];
static uint32_t prism_triangle[(2 * (PRISM_CORNERS - 2) + 2 * PRISM_CORNERS) * 3];

static void add_triangle(size_t *count, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t *t = prism_triangle + 3 * (*count)++;
  t[0] = a, t[1] = b, t[2] = c;
}

// Fans of caps about corner 3, from which all others are seen.
static mote_mesh l_prism(double low, double high) {
  size_t count = 0;
  for (uint32_t k = 0; k < PRISM_CORNERS; ++k) {
    for (uint32_t top = 0; top < 2; ++top) {
      double *x = prism_vertex + 3 * (k + PRISM_CORNERS * top);
      x[0] = corner[k][0], x[1] = top ? high : low, x[2] = corner[k][1];
    }
    uint32_t next = (k + 1) % PRISM_CORNERS;
    add_triangle(&count, k, k + PRISM_CORNERS, next + PRISM_CORNERS);
    add_triangle(&count, k, next + PRISM_CORNERS, next);
    if (k == 3 || next == 3) continue;
    add_triangle(&count, 3, k, next);
    add_triangle(&count, 3 + PRISM_CORNERS, next + PRISM_CORNERS, k + PRISM_CORNERS);
  }
  return (mote_mesh){prism_vertex, prism_triangle, sizeof prism_vertex / (3 * sizeof(double)), count};
}

// The vessel's inside, up to `high`.
static mote_shape_def inside(const vessel *pool, double high) {
  mote_shape_def shape = mote_shape_def_box(0, 0, 0, 0.5, high, 0.5);
  if (pool->kind == VESSEL_L) {
    shape = mote_shape_def_default();
    shape.kind = MOTE_SHAPE_MESH;
    shape.mesh = l_prism(0.0, high);
  }
  if (pool->kind == VESSEL_SPHERE) shape = mote_shape_def_sphere(0, 0, 0, SPHERE_RADIUS);
  return shape;
}

static mote_shape_def vessel_inside(const vessel *pool) {
  return inside(pool, 1.0);
}

static mote_result add_water(const vessel *pool, mote_world *world, mote_error *error) {
  mote_shape_def part[2] = {inside(pool, pool->depth), mote_shape_def_box(-1, -1, -1, 1, 0, 1)};
  if (pool->kind == VESSEL_BOX) {
    part[0] = mote_shape_def_box(0, pool->lift, 0, 0.5, pool->depth + pool->lift, 0.5);
  }
  mote_material_def water = mote_material_def_default();
  mote_body_def body = mote_body_def_default();
  body.name = "pool", body.material = water.name, body.shape = part[0];
  if (pool->kind == VESSEL_SPHERE) {
    body.shape = mote_shape_def_default();
    body.shape.kind = MOTE_SHAPE_INTERSECTION;
    body.shape.part = part, body.shape.parts = 2;
  }
  mote_result result = mote_world_add_material(world, &water, NULL, error);
  return result ? result : mote_world_add_body(world, &body, NULL, error);
}

static mote_result add_all(const vessel *pool, mote_world *world, mote_probe *gauge, mote_error *error) {
  mote_result result = MOTE_OK;
  if (pool->kind != VESSEL_BOX) {
    mote_collider_def wall = mote_collider_def_default();
    wall.name = "vessel", wall.shape = vessel_inside(pool), wall.shape.inverted = true;
    result = mote_world_add_collider(world, &wall, NULL, error);
  }
  if (!result) result = add_water(pool, world, error);
  mote_probe_def level = mote_probe_def_default();
  double middle = pool->kind == VESSEL_BOX ? 0.25 : pool->kind == VESSEL_L ? 0.2 : 0.0;
  level.name = "level", level.kind = MOTE_PROBE_LEVEL;
  for (int a = 0; a < 3; ++a) level.from[a] = level.to[a] = middle;
  level.from[1] = pool->floor, level.to[1] = pool->floor + 2.0 * pool->depth;
  return result ? result : mote_world_add_probe(world, &level, gauge, error);
}

mote_result vessel_create(const vessel *pool, const mote_env *env, mote_world **out, mote_probe *gauge,
                          mote_error *error) {
  mote_world *world = NULL;
  mote_result result = mote_world_create(&pool->def, env, &world, error);
  if (!result) result = add_all(pool, world, gauge, error);
  if (result) mote_world_destroy(world), world = NULL;
  *out = world;
  return result;
}
