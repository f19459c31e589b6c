// Probes on packings: fields that interpolation must give back, levels of pools of known depth, air, any
// order of rows, definitions that make no sense.
#include "things/probe.h"

#include <math.h>
#include <mote/numeric.h>
#include <stdlib.h>

#include "stingy.h"
#include "test.h"

#define SPACING 0.02
#define SIDE 16

typedef struct pool {
  size_t count;
  double *position;
  uint64_t *id;
  float *velocity, *mass, *rest_density, *density, *pressure;
  mote_grid *grid;
  mote_domain domain;
} pool;

// Row i of the packing whose top row is half a spacing below y = depth; the bottom is where it comes to be.
static void packing_point(int dimensions, size_t k, double depth, double x[3]) {
  size_t i = k % SIDE, j = k / SIDE % SIDE, l = k / SIDE / SIDE;
  x[0] = ((double)i + 0.5) * SPACING;
  x[1] = depth - ((double)j + 0.5) * SPACING;
  x[2] = dimensions == 3 ? ((double)l + 0.5) * SPACING : 0.0;
}

// Hydrostatic pressure, velocity (y, 2, -1). `stride` (odd) orders the rows.
static pool pool_make(int dimensions, double depth, size_t stride) {
  pool p = {.count = dimensions == 3 ? SIDE * SIDE * SIDE : SIDE * SIDE};
  p.domain = mote_domain_open(dimensions);
  p.position = malloc(3 * p.count * sizeof *p.position);
  p.id = malloc(p.count * sizeof *p.id);
  p.velocity = malloc(3 * p.count * sizeof *p.velocity);
  p.mass = malloc(p.count * sizeof *p.mass);
  p.rest_density = malloc(p.count * sizeof *p.mass);
  p.density = malloc(p.count * sizeof *p.mass);
  p.pressure = malloc(p.count * sizeof *p.mass);
  for (size_t row = 0; row < p.count; ++row) {
    size_t k = row * stride % p.count;
    double *x = p.position + 3 * row;
    packing_point(dimensions, k, depth, x);
    p.id[row] = k;
    p.velocity[3 * row] = (float)x[1], p.velocity[3 * row + 1] = 2.0f, p.velocity[3 * row + 2] = -1.0f;
    p.mass[row] = (float)(1000.0 * pow(SPACING, dimensions));
    p.rest_density[row] = 1000.0f;
    p.density[row] = 1001.0f;
    p.pressure[row] = (float)(9810.0 * (depth - x[1]));
  }
  mote_grid_def def = mote_grid_def_default(2.0 * SPACING);
  def.domain = p.domain;
  CHECK(mote_grid_create(&def, NULL, &p.grid, NULL) == MOTE_OK);
  CHECK(mote_grid_build(p.grid, p.position, p.count, NULL) == MOTE_OK);
  return p;
}

static void pool_free(pool *p) {
  free(p->position), free(p->id), free(p->velocity), free(p->mass);
  free(p->rest_density), free(p->density), free(p->pressure);
  mote_grid_destroy(p->grid);
}

static mote_probe_source source_of(const pool *p) {
  return (mote_probe_source){
      .kernel = mote_kernel_make(MOTE_KERNEL_CUBIC_SPLINE, p->domain.dimensions, 2.0 * SPACING),
      .spacing = SPACING,
      .grid = p->grid,
      .position = p->position,
      .id = p->id,
      .velocity = p->velocity,
      .mass = p->mass,
      .rest_density = p->rest_density,
      .density = p->density,
      .pressure = p->pressure,
      .domain = &p->domain};
}

static mote_reading read_one(const pool *p, mote_probe_def def) {
  mote_probe_source source = source_of(p);
  mote_reading reading = {.level = -1.0};
  CHECK(mote_probe_check(&def, p->domain.dimensions, NULL) == MOTE_OK);
  CHECK(mote_probe_points(&def) == 1);
  CHECK(mote_probe_read(&def, &source, NULL, &reading, NULL) == MOTE_OK);
  return reading;
}

static mote_probe_def point_at(double x, double y, double z) {
  return (mote_probe_def){.kind = MOTE_PROBE_POINT, .from = {x, y, z}, .count = 1};
}

// In the middle of a cell of the packing sums are even: linear fields are read exactly.
static void points(int dimensions) {
  pool p = pool_make(dimensions, 0.3, 1);
  double middle = 8 * SPACING;
  mote_reading r = read_one(&p, point_at(middle, 0.3 - middle, middle));
  CHECK_NEAR(r.pressure, 9810.0 * middle, 9810.0 * middle * 1e-6);
  CHECK_NEAR(r.velocity[0], 0.3 - middle, 1e-6);
  CHECK_NEAR(r.velocity[1], 2.0, 1e-12);
  CHECK_NEAR(r.velocity[2], -1.0, 1e-12);
  CHECK_NEAR(r.density, 1001.0, 1e-9);
  r = read_one(&p, point_at(middle, 0.3 + 2.0 * SPACING, middle));
  CHECK(r.pressure == 0.0 && r.density == 0.0 && r.velocity[1] == 0.0);
  // On the wall x = 0 and in the corner it reads what is before it.
  r = read_one(&p, point_at(0.0, 0.3 - middle, middle));
  CHECK_NEAR(r.pressure, 9810.0 * middle, 9810.0 * middle * 1e-6);
  r = read_one(&p, point_at(0.0, 0.3 - middle, 0.0));
  CHECK_NEAR(r.pressure, 9810.0 * middle, 9810.0 * middle * 1e-6);
  pool_free(&p);
}

static void line(void) {
  pool p = pool_make(3, 0.3, 1);
  mote_probe_source source = source_of(&p);
  double middle = 8 * SPACING;
  mote_probe_def def = {.kind = MOTE_PROBE_LINE, .from = {middle, 0.1, middle}, .to = {middle, 0.2, middle}};
  def.count = 11;
  CHECK(mote_probe_points(&def) == 11);
  mote_reading r[11];
  CHECK(mote_probe_read(&def, &source, NULL, r, NULL) == MOTE_OK);
  for (int k = 0; k < 11; ++k) {
    double y = 0.1 + 0.01 * k;
    CHECK_NEAR(r[k].position[1], y, 1e-15);
    CHECK_NEAR(r[k].pressure, 9810.0 * (0.3 - y), 9810.0 * 0.05 * SPACING);
  }
  pool_free(&p);
}

static mote_probe_def gauge(double x, double z, double height) {
  return (mote_probe_def){.kind = MOTE_PROBE_LEVEL, .from = {x, 0.0, z}, .to = {x, height, z}, .count = 1};
}

// Wherever the surface is in the scan, and wherever the gauge stands over the packing.
static void levels(int dimensions) {
  double worst = 0.0;
  for (int k = 0; k < 40; ++k) {
    double depth = 0.2 + 0.0033 * k;
    pool p = pool_make(dimensions, depth, 1);
    double x = 0.1 + 0.0017 * k, z = 0.11 + 0.0029 * k;
    mote_reading r = read_one(&p, gauge(x, z, 0.5));
    worst = fmax(worst, fabs(r.level - depth));
    CHECK_NEAR(r.position[1], r.level, 1e-15);
    CHECK(r.density > 0.0);
    pool_free(&p);
  }
  CHECK(worst < 0.15 * SPACING);
  pool dry = pool_make(dimensions, 0.3, 1);
  CHECK(read_one(&dry, gauge(2.0, 0.1, 0.5)).level == 0.0);
  CHECK(read_one(&dry, gauge(2.0, 0.1, 0.5)).density == 0.0);
  CHECK_NEAR(read_one(&dry, gauge(0.15, 0.15, 0.1)).level, 0.1, 1e-15);  // wet to its end
  pool_free(&dry);
}

// At a wall half of the kernel is solid, in a corner three quarters: the obstacles say so.
static void level_at_walls(int dimensions) {
  mote_shape_def def = mote_shape_def_box(0, -1, 0, SIDE * SPACING, 1, SIDE * SPACING);
  def.inverted = true;
  mote_shape *shape = NULL;
  CHECK(mote_shape_create(&def, dimensions, NULL, &shape, NULL) == MOTE_OK);
  mote_obstacle tank = mote_obstacle_still(shape);
  double worst = 0.0;
  for (int k = 0; k < 20; ++k) {
    pool p = pool_make(dimensions, 0.3 + 0.003 * k, 1);
    mote_probe_source source = source_of(&p);
    source.obstacle = &tank, source.obstacles = 1;
    mote_probe_def probe = gauge(0.1 * SPACING * k, 0.0, 0.5);
    mote_reading r;
    CHECK(mote_probe_read(&probe, &source, NULL, &r, NULL) == MOTE_OK);
    worst = fmax(worst, fabs(r.level - (0.3 + 0.003 * k)));
    source.obstacle = NULL, source.obstacles = 0;
    CHECK(mote_probe_read(&probe, &source, NULL, &r, NULL) == MOTE_OK);
    if (k == 0) CHECK(r.level < 0.3 - SPACING);  // so this is what they are for
    pool_free(&p);
  }
  CHECK(worst < 0.15 * SPACING);
  mote_shape_destroy(shape);
}

static void any_order(void) {
  pool a = pool_make(3, 0.3, 1), b = pool_make(3, 0.3, 1237);
  for (uint64_t k = 0; k < 200; ++k) {
    mote_probe_def def = point_at(0.35 * mote_random_uniform(1, 0, k), 0.35 * mote_random_uniform(1, 1, k),
                                  0.35 * mote_random_uniform(1, 2, k));
    mote_reading ra = read_one(&a, def), rb = read_one(&b, def);
    CHECK(memcmp(&ra, &rb, sizeof ra) == 0);
  }
  pool_free(&a);
  pool_free(&b);
}

static void refuse(mote_probe_def def, const char *key) {
  mote_error error = {0};
  CHECK(mote_probe_check(&def, 2, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, key);
}

static void refuses(void) {
  refuse(point_at(0, (double)NAN, 0), "from");
  mote_probe_def def = gauge(0, 0, 1);
  def.to[1] = (double)NAN;
  refuse(def, "to");
  def.to[1] = 0.0, def.to[2] = 1.0;  // the same in the plane
  refuse(def, "to");
  def = gauge(0, 0, 1), def.interval = -1.0;
  refuse(def, "interval");
  def = gauge(0, 0, 1), def.kind = MOTE_PROBE_LINE;
  refuse(def, "count");
}

static void short_of_memory(void) {
  pool p = pool_make(3, 0.3, 1);
  mote_probe_source source = source_of(&p);
  mote_probe_def def = point_at(0.1, 0.1, 0.1);
  stingy s;
  mote_env env = stingy_env(&s, 0);
  mote_reading r;
  CHECK(mote_probe_read(&def, &source, &env, &r, NULL) == MOTE_ERROR_MEMORY);
  CHECK(s.held == 0);
  pool_free(&p);
}

int main(void) {
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    points(dimensions);
    levels(dimensions);
    level_at_walls(dimensions);
  }
  line();
  any_order();
  refuses();
  short_of_memory();
  return test_end();
}
