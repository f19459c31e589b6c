// Hard contact of fluids and elastic bodies: see elastic_bodies.h. Pressures keep them apart but in violent
// blows, and where a body is stretched so far that there is room between its particles. A particle that would
// come too near to the face of a body, where that has gone in this step, loses its velocity towards it; a
// patch of the body gets what it loses. One after the other, in their order: few do. Theory:
// docs/theory/solids.md, "Fluids"
#include <math.h>

#include "fluid/coupled_body.h"
#include "geom/triple.h"
#include "world/elastic_bodies.h"

#define NEAREST 0.5  // spacings from the particles of a face: its surface

typedef struct blows {
  const mote_world *world;
  const mote_soft_touch *touch;
  const mote_wall_pairs *walls;
  const mote_wet_body *body;  // of elastic particles
  const double *x;            // theirs, at the step's end
  double *v;
} blows;

// The particle of a body nearest to x, of those near a row of the fluid's walls; SIZE_MAX: none.
static size_t nearest(const blows *b, size_t row, const double x[3]) {
  const mote_pair_set *near = &b->walls->near;
  size_t first = b->body[0].samples.first, found = SIZE_MAX;
  double least = HUGE_VAL;
  for (size_t k = 0; k < (size_t)near->number[row] * MOTE_LANES; ++k) {
    uint32_t wall = near->group[near->first[row] + k / MOTE_LANES].index[k % MOTE_LANES];
    if (wall >= b->walls->samples || b->walls->sample[wall] < first) continue;
    size_t j = b->walls->sample[wall] - first;
    double far = distance3(x, b->x + 3 * j);
    if (far < least) least = far, found = j;
  }
  return found;
}

// How far x is from the face at particle j, and in which direction; where there is no face, from a ball.
static double gap_of(const blows *b, size_t j, const double x[3], double normal[3]) {
  double r[3];
  sub3(x, b->x + 3 * j, r);
  if (b->touch->flat[j] > 0.0) {
    mote_soft_touch_normal(b->touch, b->x, j, normal);
    return dot3(normal, r);
  }
  double far = length3(r);
  for (int a = 0; a < 3; ++a) normal[a] = far > 0.0 ? r[a] / far : 0.0;
  return far;
}

// --- A patch: a particle and its neighbours, by shares that sum to 1 ------------------------------------

typedef void visit(const blows *b, size_t k, double share, const double *normal, double *sum);

static void for_patch(const blows *b, size_t j, visit *call, const double *normal, double *sum) {
  size_t part = b->touch->part_of[j], start = b->touch->start[part];
  const mote_elastic *body = b->touch->part[part].body;
  size_t begin = body->first[j - start], end = body->first[j - start + 1];
  double all = 1.0;
  for (size_t k = begin; k < end; ++k) all += body->pair[k].weight;
  for (size_t k = begin; k < end; ++k) {
    call(b, start + body->near[k], body->pair[k].weight / all, normal, sum);
  }
  call(b, j, 1.0 / all, normal, sum);
}

// Its velocity along the normal, and the inverse of what it weighs there.
static void weigh(const blows *b, size_t k, double share, const double *normal, double *sum) {
  sum[0] += share * dot3(b->v + 3 * k, normal);
  sum[1] += share * share * b->body[k].inverse_mass;
}

static void hit(const blows *b, size_t k, double share, const double *impulse, double *sum) {
  (void)sum;
  step3(b->v + 3 * k, -share * b->body[k].inverse_mass, impulse, b->v + 3 * k);
}

// --- One particle of the fluid --------------------------------------------------------------------------

// What it has come too near by in this step is taken from its velocity: all of it, as by a wall, but never so
// much that both together would gain energy.
static void meet(const blows *b, size_t row) {
  const mote_fluid *fluid = &b->world->fluid;
  size_t i = b->walls->index[row];
  float *v = fluid->velocity + 3 * i;
  double own[3] = {(double)v[0], (double)v[1], (double)v[2]}, at[3], normal[3], patch[2] = {0.0, 0.0};
  double dt = b->world->dt, least = NEAREST * b->world->def.spacing, mass = (double)fluid->mass[i];
  step3(fluid->position + 3 * i, dt, own, at);
  size_t j = nearest(b, row, at);
  if (j == SIZE_MAX) return;
  double gap = gap_of(b, j, at, normal);
  if (!(gap < least)) return;
  for_patch(b, j, weigh, normal, patch);
  double begin = gap - dt * (dot3(own, normal) - patch[0]), lacks = (min2(least, begin) - gap) / dt;
  if (!(lacks > 0.0)) return;
  double change = lacks * min2(1.0, 2.0 / (1.0 + mass * patch[1])), impulse[3];
  for (int a = 0; a < 3; ++a) v[a] = (float)(own[a] + change * normal[a]);
  for (int a = 0; a < 3; ++a) impulse[a] = mass * ((double)v[a] - own[a]);  // as it was rounded
  for_patch(b, j, hit, impulse, NULL);
}

void mote_soft_blows(mote_world *world) {
  const mote_store *solids = &world->now.store[MOTE_STATE_SOLIDS];
  blows b = {.world = world, .touch = world->soft.touch, .body = mote_soft_wet_bodies(world)};
  if (b.body == NULL) return;
  b.walls = mote_wet_walls(&world->fluid);
  b.x = mote_store_f64(solids, MOTE_SOLID_POSITION), b.v = mote_store_f64(solids, MOTE_SOLID_VELOCITY);
  for (size_t row = 0; row < b.walls->near.rows; ++row) meet(&b, row);
}
