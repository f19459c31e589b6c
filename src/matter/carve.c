// Cutting fluids: see carve.h.
#include "matter/carve.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "matter/bodies.h"
#include "matter/collider_images.h"
#include "matter/kind.h"
#include "matter/tuning.inc"
#include "things/tuning.inc"

#define PARTICLES_PER_TASK 256

// Least initial distance of fluid particles to an obstacle that reaches into the fluid, in spacings. 0 would
// keep the volume. Solvers that shift crowded particles (DFSPH, PCISPH) need only the clearance of contact;
// WCSPH answers crowding with sound waves.
#define CUT_SHIFTED MOTE_COLLIDE_CLEARANCE

typedef struct cutter {
  const mote_world *world;
  const mote_shape *shape;  // of the fluid; null: whatever it is
  const double *position;
  const uint32_t *body;  // of each particle, where they are there already
  uint8_t *keep;
  double reach;  // spacings: all that is nearer to an obstacle counts as cut; 0: as when a body is added
} cutter;

static bool beyond_open_side(const mote_world_def *def, const double x[3]) {
  for (int a = 0; a < def->dimensions; ++a) {
    if (def->side[a][0] == MOTE_SIDE_OPEN && x[a] < def->low[a]) return true;
    if (def->side[a][1] == MOTE_SIDE_OPEN && x[a] > def->high[a]) return true;
  }
  return false;
}

// An obstacle that only touches the fluid's shape is never nearer than the fluid's own surface, for any
// packing: all particles stay, and are separated where the packing does not fit, for WCSPH by
// initial_relaxation.h.
static bool is_cut(const cutter *c, const mote_shape *obstacle, const mote_pose *pose, const double x[3],
                   double depth) {
  const mote_world *world = c->world;
  double at[3] = {x[0], x[1], x[2]}, d = world->def.spacing;
  if (pose != NULL) mote_pose_unapply(pose, x, at);
  double gap = mote_shape_distance(obstacle, at);
  if (c->reach > 0.0) return gap < c->reach * d;
  const mote_solver_def *solver = &world->def.solver;
  double nearest = (mote_pressure_properties_of(solver)->shifts_crowded ? CUT_SHIFTED : CUT_UNSHIFTED) * d;
  bool touched = gap >= depth - OVERLAP_TOLERANCE * d;
  return gap < nearest && !touched;
}

static bool is_cut_by_collider(const cutter *c, const mote_collider_item *item, const double x[3],
                               double depth) {
  const mote_world *world = c->world;
  if (item->motion == NULL) return is_cut(c, item->shape, NULL, x, depth);
  mote_pose pose = mote_motion_at(item->motion, *mote_state_f64(&world->now, MOTE_WORLD_TIME));
  double shift[MOTE_COLLIDER_IMAGES_MAX][3] = {{0.0}};
  size_t images = item->moves ? mote_collider_images(world, item, &pose, shift) : 1;
  bool cut = false;
  for (size_t k = 0; k < images && !cut; ++k) {
    double at[3] = {x[0] - shift[k][0], x[1] - shift[k][1], x[2] - shift[k][2]};
    cut = is_cut(c, item->shape, &pose, at, depth);
  }
  return cut;
}

static bool is_kept(const cutter *c, const double x[3]) {
  const mote_world *world = c->world;
  if (beyond_open_side(&world->def, x)) return false;
  double depth = c->shape != NULL ? -mote_shape_distance(c->shape, x) : HUGE_VAL;
  if (world->walls.shape != NULL && is_cut_by_collider(c, &world->walls, x, depth)) return false;
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_COLLIDER); ++k) {
    if (is_cut_by_collider(c, mote_collider_at(world, k), x, depth)) return false;
  }
  for (int kind = 0; kind < MOTE_KINDS; ++kind) {
    const mote_kind_row *row = world->kind[kind];
    mote_pose pose;
    for (size_t k = 0; row->pose != NULL && k < mote_world_items(world, kind) && row->pose(world, k, &pose);
         ++k)
      if (is_cut(c, mote_kind_shape(world, (mote_kind)kind, k), &pose, x, depth)) return false;
  }
  return true;
}

static void cut_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  cutter *c = data;
  for (size_t i = begin; i < end; ++i) c->keep[i] = is_kept(c, c->position + 3 * i);
}

mote_result mote_cut_samples(mote_world *world, const mote_shape *shape, mote_samples *samples, size_t *kept,
                             mote_error *error) {
  MOTE_ASSERT(samples->position != NULL || samples->count == 0);
  MOTE_ASSERT(shape != NULL && kept != NULL);
  *kept = samples->count;
  if (world->aside) return MOTE_OK;
  cutter c = {world, shape, samples->position, NULL, mote_arena_take(&world->scratch, samples->count, 1),
              0.0};
  if (c.keep == NULL) return mote_fail_memory(error, samples->count);
  mote_parallel_for(world->env.threads, samples->count, PARTICLES_PER_TASK, cut_chunk, &c);
  *kept = 0;
  for (size_t i = 0; i < samples->count; ++i) {
    if (!c.keep[i]) continue;
    memmove(samples->position + 3 * *kept, samples->position + 3 * i, 3 * sizeof(double));
    ++*kept;
  }
  if (*kept > 0) return MOTE_OK;
  return mote_fail_key(error, "shape",
                       "nothing of the body is left: it lies inside of colliders, or outside of the domain");
}

mote_result mote_cut_near(mote_world *world, const double *position, size_t count, double reach, bool *near,
                          mote_error *error) {
  MOTE_ASSERT(reach >= 0.0 && near != NULL);
  size_t clear = 0;
  *near = false;
  mote_arena_mark mark = mote_arena_here(&world->scratch);
  cutter c = {world, NULL, position, NULL, mote_arena_take(&world->scratch, count, 1), reach};
  if (c.keep == NULL) return mote_fail_memory(error, count);
  mote_parallel_for(world->env.threads, count, PARTICLES_PER_TASK, cut_chunk, &c);
  for (size_t i = 0; i < count; ++i) clear += c.keep[i];
  *near = clear < count;
  mote_arena_release(&world->scratch, mark);
  return MOTE_OK;
}

mote_result mote_cut_crowded(mote_world *world, bool *crowded, mote_error *error) {
  const double *x = mote_store_f64(mote_world_store(world), MOTE_PARTICLE_POSITION);
  return mote_cut_near(world, x, mote_world_fluid_rows(world), 0.0, crowded, error);
}

// --- A new solid ---

// For a particle before the first step: inside of its body's shape.
static double depth_of(const cutter *c, size_t i) {
  mote_body_place place;
  if (c->body[i] == 0 || !mote_bodies_find(c->world, c->body[i] - 1, &place)) return HUGE_VAL;
  size_t definition = mote_bodies_definition(c->world, place);
  if (definition == SIZE_MAX) return HUGE_VAL;
  return -mote_shape_distance(mote_body_at(c->world, definition)->shape, c->position + 3 * i);
}

static void gone_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  cutter *c = data;
  for (size_t i = begin; i < end; ++i) {
    c->keep[i] = is_cut(c, c->shape, NULL, c->position + 3 * i, depth_of(c, i));
  }
}

mote_result mote_cut_find(mote_world *world, const mote_shape *obstacle, const char *name, uint8_t **gone,
                          mote_error *error) {
  MOTE_ASSERT(obstacle != NULL && name != NULL && gone != NULL);
  const mote_store *store = mote_world_store(world);
  size_t count = mote_world_fluid_rows(world), cut = 0;
  *gone = NULL;
  if (count == 0 || world->aside) return MOTE_OK;
  cutter c = {world,
              obstacle,
              mote_store_f64(store, MOTE_PARTICLE_POSITION),
              mote_store_u32(store, MOTE_PARTICLE_BODY),
              mote_arena_take(&world->scratch, count, 1),
              0.0};
  if (c.keep == NULL) return mote_fail_memory(error, count);
  mote_parallel_for(world->env.threads, count, PARTICLES_PER_TASK, gone_chunk, &c);
  for (size_t i = 0; i < count; ++i) cut += c.keep[i];
  if (cut > 0 && mote_world_steps(world) > 0) {
    return mote_fail_key(error, "shape", "\"%s\" overlaps %zu particles", name, cut);
  }
  if (cut > 0) *gone = c.keep;
  return MOTE_OK;
}

void mote_cut_remove(mote_world *world, const uint8_t *gone) {
  MOTE_ASSERT(world->now.tables >= MOTE_TABLES);
  mote_store *store = mote_world_store(world);
  for (size_t b = 0, first = 0; gone != NULL && b < mote_world_items(world, MOTE_ITEM_MATERIAL); ++b) {
    size_t rows = store->block[b].count;
    mote_store_remove(store, b, gone + first);
    first += rows;
  }
}
