// Hard contact of fluids and elastic bodies: see elastic_bodies.h. Pressure keeps them apart, except in
// violent impacts and where a stretched body has gaps between its particles. A fluid particle that would come
// too close to the face of a body, at its position at the end of the step, loses its velocity towards it; a
// patch of the body receives the impulse. Sequential in order of the particles: few are affected. Theory:
// docs/theory/solids.md, "Fluids"
#include <math.h>

#include "fluid/coupled_body.h"
#include "geom/triple.h"
#include "matter/elastic_bodies.h"

#define FACE_DISTANCE_MIN 0.5  // spacings from the particles of a face to its surface

typedef struct impulses {
  const mote_world *world;
  const mote_elastic_contact *contact;
  const mote_wall_pairs *walls;
  const mote_coupled_body *body;  // of elastic particles
  const double *x;                // their positions at the end of the step
  double *v;
} impulses;

// The elastic particle nearest to x among those next to a row of the fluid's walls; SIZE_MAX: none.
static size_t nearest(const impulses *b, size_t row, const double x[3]) {
  const mote_pair_set *pairs = &b->walls->sample_neighbours;
  size_t first = b->body[0].samples.first, found = SIZE_MAX;
  double least = HUGE_VAL;
  for (size_t k = 0; k < (size_t)pairs->number[row] * MOTE_LANES; ++k) {
    uint32_t wall = pairs->group[pairs->first[row] + k / MOTE_LANES].index[k % MOTE_LANES];
    if (wall >= b->walls->samples || b->walls->sample[wall] < first) continue;
    size_t j = b->walls->sample[wall] - first;
    double distance = distance3(x, b->x + 3 * j);
    if (distance < least) least = distance, found = j;
  }
  return found;
}

// Distance of x from the face at particle j, and its normal; from a ball where there is no face.
static double gap_of(const impulses *b, size_t j, const double x[3], double normal[3]) {
  double r[3];
  sub3(x, b->x + 3 * j, r);
  if (b->contact->flatness[j] > 0.0) {
    mote_elastic_contact_normal(b->contact, b->x, j, normal);
    return dot3(normal, r);
  }
  double distance = length3(r);
  for (int a = 0; a < 3; ++a) normal[a] = distance > 0.0 ? r[a] / distance : 0.0;
  return distance;
}

// --- A patch: a particle and its neighbours, with shares that sum to 1 -------------------------------

typedef void visit(const impulses *b, size_t k, double share, const double *normal, double *sum);

static void for_patch(const impulses *b, size_t j, visit *call, const double *normal, double *sum) {
  size_t part = b->contact->part_of[j], start = b->contact->start[part];
  const mote_elastic *body = b->contact->part[part].body;
  size_t begin = body->first[j - start], end = body->first[j - start + 1];
  double all = 1.0;
  for (size_t k = begin; k < end; ++k) all += body->pair[k].weight;
  for (size_t k = begin; k < end; ++k) {
    call(b, start + body->neighbour[k], body->pair[k].weight / all, normal, sum);
  }
  call(b, j, 1.0 / all, normal, sum);
}

// Velocity of the patch along the normal, and its inverse effective mass.
static void weigh(const impulses *b, size_t k, double share, const double *normal, double *sum) {
  sum[0] += share * dot3(b->v + 3 * k, normal);
  sum[1] += share * share * b->body[k].inverse_mass;
}

static void apply(const impulses *b, size_t k, double share, const double *impulse, double *sum) {
  (void)sum;
  step3(b->v + 3 * k, -share * b->body[k].inverse_mass, impulse, b->v + 3 * k);
}

// --- One fluid particle ------------------------------------------------------------------------------

// Removes the velocity by which the particle comes too close in this step: all of it, as a wall does, but
// never so much that the total energy would grow.
static void collide(const impulses *b, size_t row) {
  const mote_fluid *fluid = &b->world->fluid;
  size_t i = b->walls->index[row];
  float *v = fluid->velocity + 3 * i;
  double own[3] = {(double)v[0], (double)v[1], (double)v[2]}, at[3], normal[3], patch[2] = {0.0, 0.0};
  double dt = b->world->dt, least = FACE_DISTANCE_MIN * b->world->def.spacing, mass = (double)fluid->mass[i];
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
  for (int a = 0; a < 3; ++a) impulse[a] = mass * ((double)v[a] - own[a]);  // after rounding to float
  for_patch(b, j, apply, impulse, NULL);
}

void mote_elastic_fluid_impulses(mote_world *world) {
  impulses b = {
      .world = world, .contact = world->elastic_bodies.contact, .body = mote_elastic_coupled_bodies(world)};
  if (b.body == NULL) return;
  b.walls = mote_coupled_walls(&world->fluid);
  b.x = mote_elastic_positions(world), b.v = mote_elastic_velocities(world);
  for (size_t row = 0; row < b.walls->sample_neighbours.rows; ++row) collide(&b, row);
}
