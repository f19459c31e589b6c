// Particles that leave the world: into drains and over open sides.
#include "kinds/lattice/lattice_bodies.h"
#include "stages/stages.h"
#include "things/drain.h"

static bool has_exit(const mote_world *world) {
  if (mote_world_items(world, MOTE_ITEM_DRAIN) > 0) return true;
  for (int k = 0; k < 2 * world->def.dimensions; ++k) {
    double end = k % 2 == 0 ? world->def.low[k / 2] : world->def.high[k / 2];
    if (world->def.side[k / 2][k % 2] == MOTE_SIDE_OPEN && isfinite(end)) return true;
  }
  return false;
}

static mote_result make_sinks(mote_world *world, mote_outlet **sinks, mote_error *error) {
  size_t count = mote_world_items(world, MOTE_ITEM_DRAIN);
  MOTE_TAKE(*sinks, &world->scratch, count + 1, error);
  for (size_t k = 0; k < count; ++k) {
    const mote_drain_item *item = mote_drain_at(world, k);
    (*sinks)[k] = (mote_outlet){item->shape, item->start, item->end};
  }
  return MOTE_OK;
}

// Flags the rows first .. first + count - 1 that leave, and counts them. hold: per row, nonzero: it stays;
// null: none.
static mote_result flag_rows(mote_world *world, size_t first, size_t count, const uint8_t *hold,
                             uint8_t **gone, size_t *leave, mote_error *error) {
  mote_outlet *sinks;
  MOTE_TRY(make_sinks(world, &sinks, error));
  MOTE_TAKE(*gone, &world->scratch, count, error);
  mote_leaving leaving = {
      .sink = sinks,
      .sinks = mote_world_items(world, MOTE_ITEM_DRAIN),
      .def = &world->def,
      .time = *mote_state_f64(&world->now, MOTE_WORLD_TIME) + world->dt,
      .threads = world->env.threads,
      .count = count,
      .position = mote_store_f64(mote_world_store(world), MOTE_PARTICLE_POSITION) + 3 * first,
  };
  mote_leaving_report report = mote_leaving_flag(&leaving, *gone);
  for (size_t i = 0; i < count && hold != NULL && report.drained + report.left > 0; ++i) {
    if (hold[i] == 0) continue;
    report.drained -= (*gone)[i] == MOTE_GONE_DRAINED, report.left -= (*gone)[i] == MOTE_GONE_LEFT;
    (*gone)[i] = MOTE_GONE_NOT;
  }
  *mote_state_u64(&world->now, MOTE_WORLD_DRAINED) += report.drained;
  *mote_state_u64(&world->now, MOTE_WORLD_LEFT) += report.left;
  *leave = report.drained + report.left;
  return MOTE_OK;
}

// Lattices that can melt leave particle by particle, like their melt, except held particles; other bodies
// stay.
static mote_result leave_lattice(mote_world *world, size_t material, mote_error *error) {
  mote_store *store = mote_world_store(world);
  size_t block = mote_lattice_block(world, material), leave;
  if (block == SIZE_MAX || store->block[block].count == 0) return MOTE_OK;
  uint8_t *gone;
  const uint8_t *hold = mote_store_rows(store, MOTE_LATTICE_HOLD, block);
  MOTE_TRY(
      flag_rows(world, store->block[block].first[0], store->block[block].count, hold, &gone, &leave, error));
  if (leave > 0) mote_store_remove(store, block, gone);
  return MOTE_OK;
}

mote_result mote_stage_leave(mote_world *world, mote_error *error) {
  mote_store *store = mote_world_store(world);
  size_t count = mote_world_fluid_rows(world), leave = 0;
  uint8_t *gone = NULL;
  if (!has_exit(world)) return MOTE_OK;
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_MATERIAL); ++k)
    if (mote_world_melts(world, &mote_material_at(world, k)->def)) MOTE_TRY(leave_lattice(world, k, error));
  if (count == 0) return MOTE_OK;
  MOTE_TRY(flag_rows(world, 0, count, NULL, &gone, &leave, error));
  if (leave == 0) return MOTE_OK;
  size_t first = 0;  // rows before this block as they were when they were flagged
  for (size_t b = 0; b < mote_world_items(world, MOTE_ITEM_MATERIAL); ++b) {
    size_t rows = store->block[b].count;
    mote_store_remove(store, b, gone + first);
    first += rows;
  }
  return MOTE_OK;
}
