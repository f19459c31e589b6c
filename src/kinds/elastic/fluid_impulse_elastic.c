// Hard contact of fluids and elastic bodies: see elastic_bodies.h. Pressure keeps them apart, except in
// violent impacts and where a stretched body has gaps between its particles. A fluid particle that would come
// too close to the face of a body, at its position at the end of the step, loses its velocity towards it; a
// patch of the body receives the impulse. Each impulse must see those before it on the same patch: they go
// block by block of the body, and blocks of one colour, whose patches have no particle in common, in
// parallel. Theory: docs/theory/elastic.md, "Fluids"
#include <math.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "fluid/coupled_body.h"
#include "geom/triple.h"
#include "kinds/elastic/elastic_bodies.h"
#include "kinds/elastic/tuning.inc"
#include "matter/probe_forces.h"

#define ROWS_PER_CHUNK 256
#define BLOCK_BITS 12    // of a block's number along an axis, modulo
#define COLOUR_SHIFT 60  // eight colours: even and odd along each axis

// A fluid particle that would come too close.
typedef struct hit {
  uint64_t block;  // colour, body, and number of the block along each axis; UINT64_MAX: no hit
  uint32_t row;    // of the fluid's walls
  uint32_t at;     // elastic particle at the centre of the patch
  double normal[3];
  double gap;         // m, at the end of the step
  double impulse[3];  // on the fluid particle, N s
} hit;

typedef struct impulses {
  const mote_world *world;
  const mote_elastic_contact *contact;
  const mote_wall_pairs *walls;
  const mote_coupled_body *body;  // of elastic particles
  const double *x;                // their positions at the end of the step
  double *v;
  hit *hit;
  double *reach;    // greatest support of each body, m
  uint32_t *first;  // hits of the groups of equal block, ascending; one more
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

// --- Hits ------------------------------------------------------------------------------------------------

// Blocks at rest have twice the greatest support as edge, so that patches of two blocks of one colour have no
// particle in common.
static uint64_t block_of(const impulses *b, size_t j) {
  size_t part = b->contact->part_of[j];
  const mote_elastic *body = b->contact->part[part].body;
  const double *rest = body->rest + 3 * (j - b->contact->start[part]);
  uint64_t colour = 0, number = part;
  MOTE_ASSERT((uint64_t)part >> (COLOUR_SHIFT - 3 * BLOCK_BITS) == 0);
  for (int a = 0; a < 3; ++a) {
    int64_t along = (int64_t)floor(rest[a] / (2.0 * b->reach[part]));
    uint64_t wrapped = (uint64_t)along & ((1u << BLOCK_BITS) - 1);
    colour |= (wrapped & 1) << a;
    number = number << BLOCK_BITS | wrapped;
  }
  return number | colour << COLOUR_SHIFT;
}

// The velocity at which the particle comes too close is found when its turn comes: other impulses change it.
static void find_hit(const impulses *b, size_t row, hit *out) {
  const mote_fluid *fluid = &b->world->fluid;
  size_t i = b->walls->index[row];
  const float *v = fluid->velocity + 3 * i;
  double own[3] = {(double)v[0], (double)v[1], (double)v[2]}, at[3];
  out->block = UINT64_MAX;
  step3(fluid->position + 3 * i, b->world->dt, own, at);
  size_t j = nearest(b, row, at);
  if (j == SIZE_MAX) return;
  out->gap = gap_of(b, j, at, out->normal);
  if (!(out->gap < FACE_DISTANCE_MIN * b->world->def.spacing)) return;
  out->row = (uint32_t)row, out->at = (uint32_t)j, out->block = block_of(b, j);
}

static void find_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const impulses *b = data;
  for (size_t row = begin; row < end; ++row) find_hit(b, row, &b->hit[row]);
}

static int compare_hits(const void *left, const void *right) {
  const hit *a = left, *b = right;
  if (a->block != b->block) return a->block < b->block ? -1 : 1;
  return a->row < b->row ? -1 : a->row > b->row;
}

// Removes rows without a hit, and sorts by block, then by row. Returns the number of groups of equal block.
static size_t sort_hits(const impulses *b, size_t rows) {
  size_t hits = 0, groups = 0;
  for (size_t row = 0; row < rows; ++row) {
    if (b->hit[row].block != UINT64_MAX) b->hit[hits++] = b->hit[row];
  }
  qsort(b->hit, hits, sizeof *b->hit, compare_hits);
  for (size_t k = 0; k < hits; ++k) {
    if (k == 0 || b->hit[k].block != b->hit[k - 1].block) b->first[groups++] = (uint32_t)k;
  }
  b->first[groups] = (uint32_t)hits;
  return groups;
}

// --- Impulses --------------------------------------------------------------------------------------------

// Removes the velocity by which the particle comes too close in this step: all of it, as a wall does, but
// never so much that the total energy would grow.
static void collide(const impulses *b, hit *h) {
  const mote_fluid *fluid = &b->world->fluid;
  size_t i = b->walls->index[h->row];
  float *v = fluid->velocity + 3 * i;
  double own[3] = {(double)v[0], (double)v[1], (double)v[2]}, patch[2] = {0.0, 0.0};
  double dt = b->world->dt, least = FACE_DISTANCE_MIN * b->world->def.spacing, mass = (double)fluid->mass[i];
  for_patch(b, h->at, weigh, h->normal, patch);
  double begin = h->gap - dt * (dot3(own, h->normal) - patch[0]);
  double lacks = (min2(least, begin) - h->gap) / dt;
  set3(0.0, 0.0, 0.0, h->impulse);
  if (!(lacks > 0.0)) return;
  double change = lacks * min2(1.0, 2.0 / (1.0 + mass * patch[1]));
  for (int a = 0; a < 3; ++a) v[a] = (float)(own[a] + change * h->normal[a]);
  for (int a = 0; a < 3; ++a) h->impulse[a] = mass * ((double)v[a] - own[a]);  // after rounding to float
  for_patch(b, h->at, apply, h->impulse, NULL);
}

typedef struct colour_loop {
  const impulses *impulses;
  size_t first;  // group
} colour_loop;

static void collide_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const colour_loop *l = data;
  const impulses *b = l->impulses;
  for (size_t g = l->first + begin; g < l->first + end; ++g) {
    for (uint32_t k = b->first[g]; k < b->first[g + 1]; ++k) collide(b, &b->hit[k]);
  }
}

static double greatest_support(const mote_elastic *body) {
  double most = 0.0;
  for (size_t i = 0; i < body->count; ++i) most = max2(most, body->support[i]);
  return most;
}

mote_result mote_elastic_fluid_impulses(mote_world *world, mote_error *error) {
  impulses b = {
      .world = world, .contact = world->elastic_bodies.contact, .body = world->coupled[MOTE_KIND_ELASTIC]};
  if (b.body == NULL) return MOTE_OK;
  b.walls = mote_coupled_walls(&world->fluid);
  b.x = mote_elastic_positions(world), b.v = mote_elastic_velocities(world);
  size_t rows = b.walls->sample_neighbours.rows, bodies = b.contact->parts;
  MOTE_TAKE(b.hit, &world->scratch, rows, error);
  MOTE_TAKE(b.first, &world->scratch, rows + 1, error);
  MOTE_TAKE(b.reach, &world->scratch, bodies, error);
  for (size_t k = 0; k < bodies; ++k) b.reach[k] = greatest_support(b.contact->part[k].body);
  mote_parallel_for(world->env.threads, rows, ROWS_PER_CHUNK, find_chunk, &b);
  size_t groups = sort_hits(&b, rows);
  for (size_t g = 0, end; g < groups; g = end) {  // a colour at a time
    uint64_t colour = b.hit[b.first[g]].block >> COLOUR_SHIFT;
    for (end = g; end < groups && b.hit[b.first[end]].block >> COLOUR_SHIFT == colour;) ++end;
    colour_loop loop = {.impulses = &b, .first = g};
    mote_parallel_for(world->env.threads, end - g, 1, collide_chunk, &loop);
  }
  for (size_t k = 0; k < b.first[groups]; ++k) {
    const double *given = b.hit[k].impulse, taken[3] = {-given[0], -given[1], -given[2]};
    mote_probe_forces_add(world, MOTE_KIND_ELASTIC, b.contact->part_of[b.hit[k].at], taken);
  }
  return MOTE_OK;
}
