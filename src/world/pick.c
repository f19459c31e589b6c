// The first hit of a ray: see mote/steer.h. Particles are spheres that leave no gap for rays along an axis of
// a regular packing; bodies and colliders are hit where a sweep of a point along the ray is
// (mote_shape_sweep). One that contains the start of the ray is ignored, so that the contents of a vessel can
// be picked.
#include <math.h>

#include "base/parallel.h"
#include "geom/triple.h"
#include "matter/kind.h"
#include "world/prepare_world.h"
#include "world/tuning.inc"

#define PARTICLES_PER_TASK 4096  // particles of one task

typedef struct ray {
  double origin[3], direction[3];  // a unit vector
  double length;                   // m: beyond it there is nothing
} ray;

// --- Particles ----------------------------------------------------------------------------------------

typedef struct nearest {
  double distance;
  size_t row;  // SIZE_MAX: none
  uint64_t id;
} nearest;

typedef struct searching {
  const ray *r;
  double radius;
  const double *position;
  const uint64_t *id;
  nearest *part;  // per chunk
} searching;

// Infinite: the ray misses the sphere.
static double meet_ball(const ray *r, const double centre[3], double radius) {
  double to[3];
  sub3(centre, r->origin, to);
  double along = dot3(to, r->direction), square = dot3(to, to);
  if (square <= radius * radius) return 0.0;
  double off = square - along * along;
  if (!(along > 0.0) || off > radius * radius) return HUGE_VAL;
  return along - sqrt(radius * radius - off);
}

static bool is_nearer(const nearest *a, const nearest *b) {
  if (a->row == SIZE_MAX || b->row == SIZE_MAX) return a->row != SIZE_MAX;
  return a->distance < b->distance || (a->distance == b->distance && a->id < b->id);
}

static void search_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const searching *s = data;
  nearest best = {HUGE_VAL, SIZE_MAX, 0};
  for (size_t i = begin; i < end; ++i) {
    double distance = meet_ball(s->r, s->position + 3 * i, s->radius);
    nearest own = {distance, distance < HUGE_VAL ? i : SIZE_MAX, s->id[i]};
    if (is_nearer(&own, &best)) best = own;
  }
  s->part[begin / PARTICLES_PER_TASK] = best;
}

static mote_result pick_particle(const mote_world *world, const ray *r, mote_pick *out, mote_error *error) {
  const mote_store *store = mote_world_store(world);
  size_t count = store->count[0], chunks = count / PARTICLES_PER_TASK + 1;
  if (count == 0) return MOTE_OK;
  double radius = PICK_RADIUS * sqrt(world->def.dimensions - 1.0) * world->def.spacing;
  searching s = {r, radius, mote_store_f64(store, MOTE_PARTICLE_POSITION), mote_store_ids(store),
                 mote_alloc(&world->env, chunks, sizeof *s.part)};
  if (s.part == NULL) return mote_fail_memory(error, chunks * sizeof *s.part);
  mote_parallel_for(world->env.threads, count, PARTICLES_PER_TASK, search_chunk, &s);
  nearest best = s.part[0];
  for (size_t c = 1; c * PARTICLES_PER_TASK < count; ++c) {
    if (is_nearer(&s.part[c], &best)) best = s.part[c];
  }
  mote_free(&world->env, s.part, chunks, sizeof *s.part);
  if (best.row == SIZE_MAX) return MOTE_OK;
  uint32_t label = mote_store_u32(store, MOTE_PARTICLE_BODY)[best.row];
  mote_body_place place;
  *out = (mote_pick){.kind = MOTE_PICK_PARTICLE, .particle = best.id, .distance = best.distance};
  if (label > 0 && mote_bodies_find(world, label - 1, &place)) out->body = mote_bodies_handle(world, place);
  return MOTE_OK;
}

// --- Solids -------------------------------------------------------------------------------------------

// Distance of the hit if it is nearer than the best; else infinite.
static double meet_obstacle(const ray *r, const mote_shape *shape, const mote_pose *pose,
                            const mote_pick *best) {
  double length = best->kind == MOTE_PICK_NOTHING ? r->length : best->distance, end[3], a[3], b[3];
  step3(r->origin, length, r->direction, end);
  mote_pose_unapply(pose, r->origin, a);
  mote_pose_unapply(pose, end, b);
  if (mote_shape_distance(shape, a) <= 0.0) return HUGE_VAL;
  double part = mote_shape_sweep(shape, a, b, 0.0);
  return part < 1.0 ? part * length : HUGE_VAL;
}

static void pick_obstacles(const mote_world *world, const ray *r, mote_pick *out) {
  double now = mote_world_time(world);
  for (int kind = 0; kind < MOTE_KINDS; ++kind) {
    const mote_kind_row *row = world->kind[kind];
    for (size_t k = 0; row->obstacle != NULL && k < mote_world_items(world, kind); ++k) {
      mote_pose pose;
      if (!row->pose(world, k, &pose)) continue;
      double distance = meet_obstacle(r, mote_kind_shape(world, (mote_kind)kind, k), &pose, out);
      if (distance == HUGE_VAL) continue;
      *out = (mote_pick){.kind = MOTE_PICK_BODY,
                         .body = mote_bodies_handle(world, (mote_body_place){(mote_kind)kind, k}),
                         .distance = distance};
    }
  }
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_COLLIDER); ++k) {
    mote_pose pose = mote_motion_at(mote_collider_at(world, k)->motion, now);
    double distance = meet_obstacle(r, mote_collider_at(world, k)->shape, &pose, out);
    if (distance == HUGE_VAL) continue;
    uint32_t number = (uint32_t)mote_item_number(world, MOTE_ITEM_COLLIDER, k);
    *out = (mote_pick){.kind = MOTE_PICK_COLLIDER, .collider = {number, 1}, .distance = distance};
  }
}

static mote_result make_ray(const mote_world *world, const double origin[3], const double direction[3],
                            ray *out, mote_error *error) {
  double length = length3(direction), low[3], high[3], from[3] = {0.0, 0.0, 0.0}, size[3];
  if (!finite3(origin) || !(length > 0.0) || !isfinite(length))
    return mote_fail(error, MOTE_ERROR_ARGUMENT,
                     "a ray needs a finite origin and a finite direction other than 0");
  copy3(origin, out->origin);
  for (int a = 0; a < 3; ++a) out->direction[a] = direction[a] / length;
  mote_world_extent(world, low, high);
  for (int a = 0; a < 3; ++a) from[a] = 0.5 * (low[a] + high[a]) - origin[a], size[a] = high[a] - low[a];
  out->length = 2.0 * (length3(from) + length3(size));
  return MOTE_OK;
}

// With periodic sides the images within one period around the domain are included.
static mote_result pick_images(const mote_world *world, const ray *r, mote_pick *out, mote_error *error) {
  static const double periods[3] = {0.0, -1.0, 1.0};
  const mote_domain *domain = &world->domain;
  int images[3];
  for (int a = 0; a < 3; ++a) images[a] = a < domain->dimensions && domain->periodic[a] ? 3 : 1;
  for (int k = 0; k < images[0] * images[1] * images[2]; ++k) {
    const int at[3] = {k % images[0], k / images[0] % images[1], k / (images[0] * images[1])};
    ray image = *r;
    mote_pick own = {.kind = MOTE_PICK_NOTHING};
    for (int a = 0; a < 3; ++a)
      if (at[a] > 0) image.origin[a] -= periods[at[a]] * (domain->high[a] - domain->low[a]);
    MOTE_TRY(pick_particle(world, &image, &own, error));
    pick_obstacles(world, &image, &own);
    bool nearer = out->kind == MOTE_PICK_NOTHING || own.distance < out->distance;
    if (own.kind != MOTE_PICK_NOTHING && nearer) *out = own;
  }
  return MOTE_OK;
}

mote_result mote_world_pick(const mote_world *world, const double origin[3], const double direction[3],
                            mote_pick *out, mote_error *error) {
  if (world == NULL || origin == NULL || direction == NULL || out == NULL)
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "picking needs a world, a ray and a place for the answer");
  ray r;
  mote_pick found = {.kind = MOTE_PICK_NOTHING};
  MOTE_TRY(make_ray(world, origin, direction, &r, error));
  MOTE_TRY(pick_images(world, &r, &found, error));
  if (found.kind != MOTE_PICK_NOTHING) step3(r.origin, found.distance, r.direction, found.position);
  *out = found;
  return MOTE_OK;
}
