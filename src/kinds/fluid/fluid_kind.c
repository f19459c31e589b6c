// Fluids as a kind of matter: see matter/kind.h. Their stages are those of src/stages.
#include "kinds/fluid/fluid_kind.h"

#include <math.h>

#include "fluid/sound_speed.h"
#include "material/fluid_law.h"
#include "scene/def_check.h"

static uint32_t groups(const mote_world *world, const mote_material_def *material, const void *item) {
  (void)material, (void)item;
  return mote_world_groups(world);
}

// The flow of an emitter stays, though it may have no particles.
static mote_result remove_body(mote_world *world, mote_body_place place, mote_error *error) {
  MOTE_TRY(mote_kind_remove_particles(world, place, MOTE_KIND_FLUID, error));
  if (mote_bodies_definition(world, place) != SIZE_MAX) mote_bodies_end(world, mote_bodies_id(world, place));
  world->measured = false;
  return MOTE_OK;
}

// Integrated densities start from the initial pressures of the bodies.
static mote_result begin_densities(mote_world *world, mote_error *error) {
  const mote_solver_def *s = &world->def.solver;
  const mote_store *store = mote_world_store(world);
  if (store->count[MOTE_GROUP_FOLLOWED] == 0 || mote_world_steps(world) > 0) return MOTE_OK;
  for (size_t b = 0; b < mote_world_items(world, MOTE_ITEM_MATERIAL); ++b) {
    const mote_block *block = &store->block[b];
    const float *p = mote_store_f32(store, MOTE_PARTICLE_PRESSURE) + block->first[MOTE_GROUP_FLUID];
    float *out = mote_store_f32(store, MOTE_PARTICLE_COMPRESSION) + block->first[MOTE_GROUP_FOLLOWED];
    double rho0 = mote_material_at(world, b)->def.density;
    double c = mote_sound_at_density(&world->fluid, rho0);
    double K = mote_law_stiffness(rho0, c, s->exponent);
    for (size_t i = 0; i < block->count; ++i) {
      if (p[i] == 0.0f) continue;
      double D = mote_law_relative(s, mote_law_zeta(s), K, (double)p[i]);
      if (!(D > 0.0)) {
        return mote_fail_key(error, "bodies", "no density has the pressure %g Pa: K is %g Pa", (double)p[i],
                             K);
      }
      out[i] = (float)(D - 1.0);
    }
  }
  return MOTE_OK;
}

// The largest rest density of fluids with the solver's equation of state; 0: they have only one.
static double densest_fluid(const mote_world *world) {
  double most = 0.0, least = HUGE_VAL;
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_MATERIAL); ++k) {
    const mote_material_def *def = &mote_material_at(world, k)->def;
    if (!mote_material_properties(def)->flows || def->stiffness > 0.0) continue;
    most = fmax(most, def->density), least = fmin(least, def->density);
  }
  return most > least ? most : 0.0;
}

static mote_result prepare(mote_world *world, mote_error *error) {
  world->fluid.densest = densest_fluid(world);
  return begin_densities(world, error);
}

// --- Reading ------------------------------------------------------------------------------------------

// Fields after this one are internal to the stages.
enum { SHOWN = MOTE_PARTICLE_WALL_DISTANCE };

size_t mote_world_particles(const mote_world *world) {
  return mote_world_fluid_rows(world);
}

mote_field_view mote_world_view(const mote_world *world, const char *field) {
  return mote_kind_view(world, MOTE_KIND_FLUID, field);
}

mote_field_view mote_world_view_at(const mote_world *world, int k) {
  if (k < 0 || k >= SHOWN) return (mote_field_view){0};
  return mote_world_view(world, mote_particle_table.field[k].name);
}

const mote_kind_row mote_kind_row_fluid = {
    .kind = MOTE_KIND_FLUID,
    .name = "fluid",
    .blocks = MOTE_BLOCKS_ALL_MATERIALS,
    .group = MOTE_GROUP_FLUID,
    .velocity = MOTE_PARTICLE_VELOCITY,
    .mass = MOTE_PARTICLE_MASS,
    .hold = -1,
    .is_liquid = true,
    .is_sorted = true,
    .is_split = true,
    .groups = groups,
    .make = mote_fluid_body_make,
    .remove = remove_body,
    .prepare = prepare,
    .add_totals = mote_fluid_add_totals,
};
