// Coupling of lattices to fluids: see lattice_bodies.h. The fluid's side: fluid/coupled_body.h. Theory:
// docs/theory/lattice.md, "Fluids"
#include <string.h>

#include "fluid/coupled_body.h"
#include "geom/triple.h"
#include "kinds/lattice/lattice_bodies.h"
#include "kinds/lattice/tuning.inc"
#include "matter/collider_samples.h"
#include "matter/tuning.inc"

#define PARKED_DISTANCE 1e6  // mark: spacings away from everything, of samples without a particle

// --- Samples -----------------------------------------------------------------------------------------------

// Rows of the material, and those that may become some.
static size_t samples_of(const mote_world *world, size_t material) {
  const mote_store *store = mote_world_store(world);
  size_t block = mote_lattice_block(world, material);
  return block == SIZE_MAX ? 0 : store->block[block].count + store->block[material].count;
}

// Away from everything, since lattices are refused in periodic domains. A flag in place of this would have to
// be tested by every loop over samples (src/pairs/wall_*.c, near_map.c) and by the sort of their cells.
static void park(const mote_world *world, size_t i, double out[3]) {
  for (int a = 0; a < 3; ++a) MOTE_ASSERT(world->def.side[a][0] != MOTE_SIDE_PERIODIC);
  set3(PARKED_DISTANCE * world->def.spacing + PARKED_APART * world->fluid.support * (double)i, 0.0, 0.0, out);
}

static mote_result add_samples(mote_world *world, mote_boundary *boundary, size_t material,
                               mote_error *error) {
  mote_material_item *item = mote_material_at(world, material);
  size_t count = samples_of(world, material);
  if (count == 0) return MOTE_OK;
  mote_samples samples = {.count = count,
                          .position = mote_arena_take(&world->scratch, 3 * count, sizeof(double)),
                          .volume = mote_arena_take(&world->scratch, count, sizeof(double))};
  if (samples.position == NULL || samples.volume == NULL)
    return mote_fail_memory(error, 4 * count * sizeof(double));
  for (size_t i = 0; i < count; ++i) {
    park(world, i, samples.position + 3 * i);
    samples.volume[i] = mote_lattice_volume(world, material);
  }
  MOTE_TRY(mote_boundary_add(boundary, &samples, MOTE_BODY_FRICTION, true, &item->samples, error));
  return mote_boundary_set_owner(boundary, item->samples, mote_kind_owner(world, MOTE_KIND_LATTICE, material),
                                 error);
}

mote_result mote_lattice_add_samples(mote_world *world, mote_boundary *boundary, mote_error *error) {
  mote_arena_mark mark = mote_arena_here(&world->scratch);
  mote_result result = MOTE_OK;
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_MATERIAL) && result == MOTE_OK; ++k) {
    mote_material_at(world, k)->samples = (mote_boundary_range){.moving = true};
    if (mote_world_needs_samples(world)) result = add_samples(world, boundary, k, error);
  }
  mote_arena_release(&world->scratch, mark);
  return result;
}

bool mote_lattice_samples_suffice(const mote_world *world) {
  if (mote_world_lattice_rows(world) == 0 || !mote_world_needs_samples(world)) return true;
  bool enough = true;
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_MATERIAL); ++k) {
    size_t block = mote_lattice_block(world, k);
    if (block == SIZE_MAX) continue;
    enough =
        enough && mote_world_store(world)->block[block].count <= mote_material_at(world, k)->samples.count;
  }
  return enough;
}

// --- Coupled bodies ----------------------------------------------------------------------------------------

static void add_bodies(mote_world *world, size_t material) {
  const mote_store *store = mote_world_store(world);
  size_t block = mote_lattice_block(world, material);
  mote_boundary_range range = mote_material_at(world, material)->samples;
  if (block == SIZE_MAX || range.count == 0) return;
  size_t count = store->block[block].count;
  MOTE_ASSERT(count <= range.count);
  for (size_t i = count; i < range.count; ++i) {  // those that have lost their particles go away
    double parked[3];
    const double none[3] = {0.0, 0.0, 0.0};
    park(world, i, parked);
    mote_boundary_set_positions(world->boundary, (mote_boundary_range){true, range.first + i, 1}, parked,
                                none);
  }
  mote_kind_couple_rows(world, MOTE_KIND_LATTICE, block, range);
}

void mote_lattice_couple(mote_world *world) {
  if (mote_world_lattice_rows(world) == 0 || world->fluid.count == 0 || !mote_lattice_samples_suffice(world))
    return;
  world->coupled[MOTE_KIND_LATTICE] = world->fluid.coupled + world->fluid.coupled_count;
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_MATERIAL); ++k) add_bodies(world, k);
}

// Predicted velocities at the end of the step without the fluid, from the mean acceleration of the last
// steps. The forces at the beginning of the step are no prediction: a stiff lattice vibrates many times
// within a step.
mote_result mote_lattice_coupled_expect(mote_world *world, mote_error *error) {
  (void)error;
  const mote_store *store = mote_world_store(world);
  const double *v = mote_store_f64(store, MOTE_LATTICE_VELOCITY);
  const float *last = mote_store_f32(store, MOTE_LATTICE_ACCELERATION);
  for (size_t i = 0; world->coupled[MOTE_KIND_LATTICE] != NULL && i < mote_world_lattice_rows(world); ++i) {
    mote_coupled_body *body = world->coupled[MOTE_KIND_LATTICE] + i;
    copy3(v + 3 * i, body->velocity);
    if (body->inverse_mass == 0.0) continue;  // held: prescribed motion
    for (int a = 0; a < 3; ++a)
      body->velocity[a] += world->dt * (world->def.gravity[a] + (double)last[3 * i + (size_t)a]);
  }
  return MOTE_OK;
}
