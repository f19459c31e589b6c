// Lattices as a kind of matter: see matter/kind.h.
#include <math.h>

#include "kinds/lattice/lattice_bodies.h"
#include "kinds/rigid/rigid_bodies.h"
#include "matter/items.h"
#include "matter/ledger.h"

static uint32_t groups(const mote_world *world, const mote_material_def *material, const void *item) {
  (void)item;
  uint32_t all = 1u << MOTE_GROUP_LATTICE | 1u << MOTE_GROUP_DOCKING | 1u << MOTE_GROUP_HEAT;
  return material == NULL ? all : mote_lattice_groups(world, material);
}

// Lattices touch the walls of the domain, also those that freeze from a melt.
static mote_result begin(mote_world *world, mote_error *error) {
  for (int a = 0; a < world->def.dimensions; ++a) {
    if (world->domain.periodic[a])
      return mote_fail_key(error, "model", "lattices cannot be in a periodic domain yet");
  }
  return mote_contacts_make(world, error);
}

// With its particles that have melted.
static mote_result remove_body(mote_world *world, mote_body_place place, mote_error *error) {
  size_t k = mote_kind_find_definition(world, MOTE_KIND_LATTICE, mote_bodies_definition(world, place));
  MOTE_TRY(mote_items_expect_removal(world, MOTE_KIND_LATTICE, error));
  MOTE_TRY(mote_kind_remove_particles(world, place, MOTE_KIND_LATTICE, error));
  MOTE_TRY(mote_kind_remove_particles(world, place, MOTE_KIND_FLUID, error));
  mote_items_remove(world, MOTE_KIND_LATTICE, k);
  mote_bodies_end(world, mote_bodies_id(world, place));
  world->ready = world->measured = false;
  return MOTE_OK;
}

static double kept_temperature(const mote_world *world, uint32_t label, uint8_t hold) {
  const mote_lattice_item *item = mote_lattice_item_of(world, label);
  return item == NULL || hold > item->holds ? (double)NAN : item->hold[hold - 1].temperature;
}

// They are at most as stiff as they are solid; frozen rows get there in time (stage_phase.c).
static void heated(const mote_world *world, size_t first, size_t count) {
  const float *liquid = mote_store_f32(mote_world_store(world), MOTE_PARTICLE_LIQUID) + first;
  float *fraction = mote_store_f32(mote_world_store(world), MOTE_LATTICE_FRACTION) +
                    (first - mote_lattice_first_row(world));
  for (size_t i = 0; i < count; ++i)
    fraction[i] = fminf(fraction[i], fmaxf(1.0f - liquid[i], (float)MOTE_LATTICE_LEAST));
}

static void take_impulses(mote_world *world) {
  mote_kind_take_impulses(world, MOTE_KIND_LATTICE);
}

static double stored_energy(const mote_world *world) {
  return world->lattice_energy;
}

static void add_totals(const mote_world *world, mote_totals_sum *sum, mote_totals *out) {
  if (mote_world_lattice_rows(world) == 0) return;
  mote_kind_sum_particles(world, MOTE_KIND_LATTICE, sum, out);
  out->elastic_energy += world->lattice_energy;
}

_Static_assert(offsetof(mote_lattice_item, body) == offsetof(mote_kind_item, body),
               "it begins as all items do");
const mote_kind_row mote_kind_row_lattice = {
    .kind = MOTE_KIND_LATTICE,
    .name = "lattice",
    .blocks = MOTE_BLOCKS_MATERIALS,
    .group = MOTE_GROUP_LATTICE,
    .velocity = MOTE_LATTICE_VELOCITY,
    .mass = MOTE_LATTICE_MASS,
    .hold = MOTE_LATTICE_HOLD,
    .is_sorted = true,
    .groups = groups,
    .item_size = sizeof(mote_lattice_item),
    .free_item = mote_lattice_item_free,
    .begin = begin,
    .make = mote_lattice_body_make,
    .remove = remove_body,
    .add_samples = mote_lattice_add_samples,
    .samples_suffice = mote_lattice_samples_suffice,
    .couple = mote_lattice_couple,
    .expect = mote_lattice_coupled_expect,
    .take_impulses = take_impulses,
    .step = mote_lattice_bodies_step,
    .ledger = MOTE_LEDGER_DEFORMING,
    .speed = mote_lattice_speed,
    .stored_energy = stored_energy,
    .kept_temperature = kept_temperature,
    .heated = heated,
    .add_totals = add_totals,
};
