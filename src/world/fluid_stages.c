// The solver's stages, called with the world's particles.
#include <math.h>

#include "base/parallel.h"
#include "fluid/coupled_body.h"
#include "fluid/dfsph.h"
#include "fluid/pcisph.h"
#include "fluid/prepare.h"
#include "fluid/shifting.h"
#include "fluid/tension.h"
#include "fluid/viscosity.h"
#include "fluid/viscous_solve.h"
#include "fluid/wcsph.h"
#include "material/fluid_law.h"
#include "world/colliders.h"
#include "world/elastic_bodies.h"
#include "world/rigid_bodies.h"
#include "world/stages.h"
#include "world/tick_block.h"
#include "world/watchdog.h"

#define GRAIN 4096

// What each particle has from its material, as the solver's loops read it.
typedef struct properties {
  float *rest_density, *viscosity, *xsph, *stiffness, *damping;  // the last three may be null
  double artificial;                                             // the solver's alpha
  const mote_material_def *material;
} properties;

static void property_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const properties *p = data;
  for (size_t i = begin; i < end; ++i) {
    p->rest_density[i] = (float)p->material->density;
    p->viscosity[i] = (float)p->material->viscosity;
    if (p->xsph != NULL) p->xsph[i] = (float)p->material->xsph;
    if (p->stiffness == NULL) continue;
    double alpha = p->material->damping;
    p->stiffness[i] = (float)p->material->stiffness;
    p->damping[i] = (float)(isnan(alpha) ? p->artificial : alpha);
  }
}

static bool any_xsph(const mote_world *world) {
  bool any = false;
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_MATERIAL); ++k) {
    any = any || mote_material_at(world, k)->def.xsph != 0.0;
  }
  return any;
}

// Whether a material has particles of a fluid: others need no row in the table of tensions.
static bool is_kind(const mote_store *store, size_t block) {
  const mote_block *b = &store->block[block];
  return b->count > 0 && (b->groups & (1u << MOTE_GROUP_FLUID)) != 0;
}

// The table of tensions, and which of its materials each particle is of.
static mote_result bind_tension(mote_world *world, mote_error *error) {
  const mote_store *store = mote_world_store(world);
  mote_fluid *fluid = &world->fluid;
  size_t count = store->count[MOTE_GROUP_FLUID];
  const mote_material_def **material = mote_arena_take(&world->scratch, store->blocks, sizeof *material);
  if (material == NULL) return mote_fail_memory(error, store->blocks * sizeof *material);
  size_t kinds = 0;
  for (size_t b = 0; b < store->blocks; ++b) {
    if (is_kind(store, b)) material[kinds++] = &mote_material_at(world, b)->def;
  }
  mote_tension *tension = NULL;
  MOTE_TRY(mote_tension_make(fluid, material, kinds, &tension, error));
  fluid->tension = tension, fluid->kind = NULL;
  if (tension == NULL) return MOTE_OK;
  uint32_t *kind = mote_arena_take(&world->scratch, count + 1, sizeof *kind);
  if (kind == NULL) return mote_fail_memory(error, (count + 1) * sizeof *kind);
  kinds = 0;
  for (size_t b = 0; b < store->blocks; ++b) {
    const mote_block *block = &store->block[b];
    if (!is_kind(store, b)) continue;
    for (size_t i = 0; i < block->count; ++i) kind[block->first[MOTE_GROUP_FLUID] + i] = (uint32_t)kinds;
    ++kinds;
  }
  kind[count] = 0;
  fluid->kind = kind;
  return MOTE_OK;
}

static bool any_stiffness(const mote_world *world) {
  bool any = false;
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_MATERIAL); ++k) {
    const mote_material_def *def = &mote_material_at(world, k)->def;
    any = any || (def->model == MOTE_MODEL_FLUID && def->stiffness > 0.0);
  }
  return any;
}

static mote_result bind_properties(mote_world *world, mote_error *error) {
  const mote_store *store = mote_world_store(world);
  bool xsph = any_xsph(world), soft = any_stiffness(world);
  size_t count = store->count[MOTE_GROUP_FLUID], arrays = 2 + (xsph ? 1 : 0) + (soft ? 2 : 0);
  float *all = mote_arena_take(&world->scratch, count, arrays * sizeof *all);
  if (all == NULL) return mote_fail_memory(error, arrays * count * sizeof *all);
  properties p = {.rest_density = all, .viscosity = all + count, .xsph = xsph ? all + 2 * count : NULL};
  if (soft) p.stiffness = all + (arrays - 2) * count, p.damping = p.stiffness + count;
  p.artificial = mote_law_artificial(&world->def.solver);
  mote_fluid *fluid = &world->fluid;
  fluid->rest_density = p.rest_density, fluid->viscosity = p.viscosity, fluid->xsph = p.xsph;
  fluid->stiffness = p.stiffness, fluid->damping = p.damping;
  MOTE_TRY(bind_tension(world, error));
  for (size_t b = 0; b < store->blocks; ++b) {
    size_t first = store->block[b].first[MOTE_GROUP_FLUID];
    properties of = {p.rest_density + first,          p.viscosity + first,
                     xsph ? p.xsph + first : NULL,    soft ? p.stiffness + first : NULL,
                     soft ? p.damping + first : NULL, p.artificial,
                     &mote_material_at(world, b)->def};
    mote_parallel_for(world->env.threads, store->block[b].count, GRAIN, property_chunk, &of);
  }
  return MOTE_OK;
}

static mote_result bind_fluid(mote_world *world, mote_error *error) {
  const mote_store *store = mote_world_store(world);
  mote_fluid *fluid = &world->fluid;
  MOTE_ASSERT(store->count[MOTE_GROUP_FLUID] == store->count[0]);
  fluid->count = store->count[0];
  fluid->position = mote_store_f64(store, MOTE_PARTICLE_POSITION);
  fluid->velocity = mote_store_f32(store, MOTE_PARTICLE_VELOCITY);
  fluid->mass = mote_store_f32(store, MOTE_PARTICLE_MASS);
  fluid->pressure = mote_store_f32(store, MOTE_PARTICLE_PRESSURE);
  fluid->divergence_pressure = mote_store_f32(store, MOTE_PARTICLE_DIVERGENCE_PRESSURE);
  fluid->density = mote_store_f32(store, MOTE_PARTICLE_DENSITY);
  fluid->acceleration = mote_store_f32(store, MOTE_PARTICLE_ACCELERATION);
  bool followed = store->count[MOTE_GROUP_FOLLOWED] > 0;
  fluid->compression = followed ? mote_store_f32(store, MOTE_PARTICLE_COMPRESSION) : NULL;
  fluid->steps = NULL, fluid->active = NULL, fluid->is_active = NULL, fluid->active_count = fluid->count;
  return bind_properties(world, error);
}

mote_result mote_stage_search(mote_world *world, mote_error *error) {
  MOTE_TRY(bind_fluid(world, error));
  MOTE_TRY(mote_colliders_pose(world, error));
  MOTE_TRY(mote_rigid_wet_make(world, error));
  mote_soft_wet_make(world);
  if (world->fluid.count == 0) {
    if (mote_world_stepped(world)) *mote_state_u64(&world->now, MOTE_WORLD_BLOCK_AT) = 0;
    return MOTE_OK;
  }
  if (mote_world_stepped(world) && world->stepping) MOTE_TRY(mote_tick_block_begin(world, error));
  if (world->fluid.active_count == 0) return MOTE_OK;
  MOTE_TRY(mote_fluid_prepare(&world->fluid, world->boundary, world->grid, error));
  world->measured = true;
  return MOTE_OK;
}

static void note_solve(mote_world *world, const mote_solve_report *solve, int *iterations, double *fraction) {
  *iterations = solve->iterations;
  *fraction = solve->error;
  world->report.converged = world->report.converged && solve->converged;
}

// What the fluid has done to bodies.
static void take_over(mote_world *world) {
  mote_rigid_wet_take(world);
  mote_soft_wet_take(world);
}

mote_result mote_stage_divergence(mote_world *world, mote_error *error) {
  if (world->fluid.count == 0 || world->def.solver.pressure != MOTE_PRESSURE_DFSPH) return MOTE_OK;
  mote_solve_report solve = {0};
  double last = *mote_state_f64(&world->now, MOTE_WORLD_LENGTH);
  MOTE_TRY(mote_dfsph_divergence(&world->fluid, last, &solve, error));
  take_over(world);
  if (last > 0.0) {
    note_solve(world, &solve, &world->report.divergence_iterations, &world->report.divergence_error);
  }
  return MOTE_OK;
}

mote_result mote_stage_forces(mote_world *world, mote_error *error) {
  mote_fluid *fluid = &world->fluid;
  if (fluid->count == 0) return MOTE_OK;
  MOTE_TRY(mote_fluid_forces(fluid, error));
  MOTE_TRY(mote_tension_forces(fluid, error));
  double t = *mote_state_f64(&world->now, MOTE_WORLD_TIME);
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_FORCE); ++k) {
    const mote_force_item *item = mote_force_at(world, k);
    if (!mote_field_force_acts(item->force, t)) continue;
    size_t bad = mote_field_force_add(item->force, t, fluid->count, fluid->position, fluid->acceleration,
                                      world->env.threads);
    if (bad != SIZE_MAX) return mote_watchdog_force(world, item->name, bad, error);
  }
  return MOTE_OK;
}

static mote_result press(mote_world *world, mote_error *error) {
  mote_fluid *fluid = &world->fluid;
  mote_solve_report solve = {0};
  MOTE_TRY(mote_viscous_solve(fluid, world->dt, &solve, error));
  note_solve(world, &solve, &world->report.viscosity_iterations, &world->report.viscosity_error);
  if (world->def.solver.pressure == MOTE_PRESSURE_WCSPH) {
    MOTE_TRY(mote_wcsph_pressure(fluid, world->dt, error));
    return mote_fluid_smooth(fluid, error);
  }
  MOTE_TRY(
      mote_fluid_smooth(fluid, error));  // first, for what is smoothed after the solve is compressed again
  bool dfsph = world->def.solver.pressure == MOTE_PRESSURE_DFSPH;
  MOTE_TRY((dfsph ? mote_dfsph_density : mote_pcisph_pressure)(fluid, world->dt, &solve, error));
  note_solve(world, &solve, &world->report.density_iterations, &world->report.density_error);
  return MOTE_OK;
}

// All forces but pressure, on bodies too: it finds them as they would go on without. A solve finds what rests
// on something as that holds it; explicit pressures ask for no velocities to come.
static mote_result accelerate(mote_world *world, mote_error *error) {
  mote_fluid *fluid = &world->fluid;
  const double *held = NULL;
  if (fluid->count > 0) mote_fluid_accelerate(fluid, world->dt);
  mote_wet_accelerate(fluid, world->dt);
  take_over(world);
  mote_rigid_weigh(world);
  if (fluid->wets > 0 && world->def.solver.pressure != MOTE_PRESSURE_WCSPH) {
    MOTE_TRY(mote_rigid_rest(world, &held, error));
  }
  mote_rigid_wet_renew(world, held);
  MOTE_TRY(mote_soft_wet_expect(world, error));
  return mote_wet_flow(fluid, error);
}

static mote_result press_active(mote_world *world, mote_error *error) {
  mote_fluid *fluid = &world->fluid;
  if (fluid->active_count > 0) MOTE_TRY(mote_wcsph_pressure(fluid, 0.0, error));
  mote_tick_block_take(world);
  double t = *mote_state_f64(&world->now, MOTE_WORLD_TIME);
  if (!(t + world->dt > t))
    return mote_fail(error, MOTE_ERROR_NUMERIC, "a step of %g s is lost in the time, %g s", world->dt, t);
  return fluid->active_count > 0 ? mote_shifting(fluid, world->dt, error) : MOTE_OK;
}

mote_result mote_stage_pressure(mote_world *world, mote_error *error) {
  if (mote_tick_block_on(world)) return press_active(world, error);
  MOTE_TRY(accelerate(world, error));
  if (world->fluid.count == 0) return MOTE_OK;
  MOTE_TRY(press(world, error));
  take_over(world);
  return mote_shifting(&world->fluid, world->dt, error);
}
