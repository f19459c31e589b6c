// For the tests of contact: shapes that must be made, and clouds of bullets shot among obstacles.
#ifndef MOTE_COLLIDE_KIT_H
#define MOTE_COLLIDE_KIT_H

#include <math.h>
#include <mote/numeric.h>
#include <stdlib.h>

#include "test.h"
#include "things/collide.h"
#include "things/motion.h"
#include "things/tuning.inc"

#define SPACING 0.01
#define CLEARANCE (MOTE_COLLIDE_CLEARANCE * SPACING)

static inline mote_shape *shape_of(mote_shape_def def, int dimensions) {
  mote_shape *shape = NULL;
  mote_error error = {0};
  mote_result result = mote_shape_create(&def, dimensions, NULL, &shape, &error);
  if (!CHECK(result == MOTE_OK)) {
    fprintf(stderr, "  %s: %s\n", error.key, error.text);
    exit(1);
  }
  return shape;
}

static inline mote_obstacle standing(mote_shape_def def, int dimensions) {
  return mote_obstacle_still(shape_of(def, dimensions));
}

static inline void obstacles_free(mote_obstacle *obstacle, size_t count) {
  for (size_t k = 0; k < count; ++k) mote_shape_destroy((mote_shape *)(uintptr_t)obstacle[k].shape);
}

typedef struct cloud {
  size_t count;
  int dimensions;
  double *from, *position;
  float *velocity, *wall_distance;
} cloud;

static inline cloud cloud_make(size_t count, int dimensions) {
  cloud c = {.count = count, .dimensions = dimensions};
  c.from = calloc(3 * count, sizeof *c.from);
  c.position = calloc(3 * count, sizeof *c.position);
  c.velocity = calloc(3 * count, sizeof *c.velocity);
  c.wall_distance = calloc(count, sizeof *c.wall_distance);
  return c;
}

static inline void cloud_free(cloud *c) {
  free(c->from);
  free(c->position);
  free(c->velocity);
  free(c->wall_distance);
}

// Random directions, speeds from 1 to 1000 m/s, evenly in their logarithm.
static inline void cloud_shoot(cloud *c, uint64_t seed) {
  for (size_t i = 0; i < c->count; ++i) {
    double v[3] = {0}, length = 0.0;
    for (int a = 0; a < c->dimensions; ++a) v[a] = mote_random_uniform(seed, (uint64_t)a, i) - 0.5;
    length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    double speed = mote_pow(1000.0, mote_random_uniform(seed, 3, i));
    for (int a = 0; a < 3; ++a) c->velocity[3 * i + a] = (float)(v[a] / length * speed);
  }
}

// One step of free flight, and the contacts.
static inline mote_collision_report cloud_step(cloud *c, const mote_obstacle *obstacle, size_t obstacles,
                                               const mote_domain *domain, double dt, int threads) {
  memcpy(c->from, c->position, 3 * c->count * sizeof *c->from);
  for (size_t k = 0; k < 3 * c->count; ++k) c->position[k] += dt * (double)c->velocity[k];
  mote_domain open = mote_domain_open(c->dimensions);
  mote_collision collision = {.obstacle = obstacle,
                              .obstacles = obstacles,
                              .domain = domain != NULL ? domain : &open,
                              .clearance = CLEARANCE,
                              .threads = threads,
                              .count = c->count,
                              .from = c->from,
                              .position = c->position,
                              .velocity = c->velocity,
                              .wall_distance = c->wall_distance};
  return mote_collide(&collision);
}

// Places the particles at random in [low, high] where all obstacles are at least the clearance away and
// `allowed`, where not null, says so.
typedef bool place_fn(const double x[3]);
static inline void cloud_place(cloud *c, const mote_obstacle *obstacle, size_t obstacles, const double low[3],
                               const double high[3], place_fn *allowed, uint64_t seed) {
  uint64_t draw = 0;
  for (size_t i = 0; i < c->count; ++i) {
    double *x = c->position + 3 * i;
    bool free;
    do {
      for (int a = 0; a < c->dimensions; ++a) {
        x[a] = low[a] + (high[a] - low[a]) * mote_random_uniform(seed, (uint64_t)a, draw);
      }
      ++draw;
      free = allowed == NULL || allowed(x);
      for (size_t k = 0; k < obstacles && free; ++k) {
        free = mote_obstacle_distance(&obstacle[k], 1.0, x, NULL) > 1.01 * CLEARANCE;
      }
    } while (!free);
  }
}

#endif
