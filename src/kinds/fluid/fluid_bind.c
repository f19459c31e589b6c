// Binds the solver's view of the fluid to the particle store: see fluid_bind.h.
#include "kinds/fluid/fluid_bind.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "fluid/coupled_body.h"
#include "fluid/tension.h"
#include "material/fluid_law.h"
#include "matter/kind.h"
#include "matter/world_heat.h"

#define PARTICLES_PER_TASK 4096  // particles of one task

// Properties of each particle's material, in the layout that the pair loops read.
typedef struct properties {
  float *rest_density, *viscosity, *xsph, *stiffness, *damping;  // the last three may be null
  double artificial;                                             // the solver's alpha
  const mote_material_def *material;
  const float *temperature;  // K; null: it makes no difference to the viscosity
  mote_heat_law heat;
} properties;

static void property_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const properties *p = data;
  for (size_t i = begin; i < end; ++i) {
    p->rest_density[i] = (float)p->material->density;
    p->viscosity[i] = (float)p->material->viscosity;
    if (p->temperature != NULL)
      p->viscosity[i] =
          (float)(p->material->viscosity * mote_heat_viscosity_factor(&p->heat, (double)p->temperature[i]));
    if (p->xsph != NULL) p->xsph[i] = (float)p->material->xsph;
    if (p->stiffness == NULL) continue;
    double alpha = p->material->damping;
    p->stiffness[i] = (float)p->material->stiffness;
    p->damping[i] = (float)(isnan(alpha) ? p->artificial : alpha);
  }
}

static bool has_xsph(const mote_world *world) {
  bool any = false;
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_MATERIAL); ++k) {
    any = any || mote_material_at(world, k)->def.xsph != 0.0;
  }
  return any;
}

// True if the block holds fluid particles; materials without any need no row in the tension table.
static bool is_fluid_block(const mote_store *store, size_t block) {
  const mote_block *b = &store->block[block];
  return b->count > 0 && (b->groups & (1u << MOTE_GROUP_FLUID)) != 0;
}

// Makes the tension table, and writes the row of it that each particle belongs to.
static mote_result bind_tension(mote_world *world, mote_error *error) {
  const mote_store *store = mote_world_store(world);
  mote_fluid *fluid = &world->fluid;
  size_t count = store->count[MOTE_GROUP_FLUID];
  MOTE_TAKE_NEW(const mote_material_def *, material, &world->scratch,
                mote_world_items(world, MOTE_ITEM_MATERIAL), error);
  size_t kinds = 0;
  for (size_t b = 0; b < mote_world_items(world, MOTE_ITEM_MATERIAL); ++b) {
    if (is_fluid_block(store, b)) material[kinds++] = &mote_material_at(world, b)->def;
  }
  mote_tension *tension = NULL;
  MOTE_TRY(mote_tension_make(fluid, material, kinds, &tension, error));
  fluid->tension = tension, fluid->kind = NULL;
  if (tension == NULL) return MOTE_OK;
  MOTE_TAKE_NEW(uint32_t, kind, &world->scratch, count + 1, error);
  kinds = 0;
  for (size_t b = 0; b < mote_world_items(world, MOTE_ITEM_MATERIAL); ++b) {
    const mote_block *block = &store->block[b];
    if (!is_fluid_block(store, b)) continue;
    for (size_t i = 0; i < block->count; ++i) kind[block->first[MOTE_GROUP_FLUID] + i] = (uint32_t)kinds;
    ++kinds;
  }
  kind[count] = 0;
  fluid->kind = kind;
  return MOTE_OK;
}

static bool has_own_stiffness(const mote_world *world) {
  bool any = false;
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_MATERIAL); ++k) {
    const mote_material_def *def = &mote_material_at(world, k)->def;
    any = any || (mote_material_properties(def)->flows && def->stiffness > 0.0);
  }
  return any;
}

static mote_result bind_properties(mote_world *world, mote_error *error) {
  const mote_store *store = mote_world_store(world);
  bool xsph = has_xsph(world), cohesive = has_own_stiffness(world);
  size_t count = store->count[MOTE_GROUP_FLUID], arrays = 2 + (xsph ? 1 : 0) + (cohesive ? 2 : 0);
  MOTE_TAKE_NEW(float, all, &world->scratch, arrays *count, error);
  properties p = {.rest_density = all, .viscosity = all + count, .xsph = xsph ? all + 2 * count : NULL};
  if (cohesive) p.stiffness = all + (arrays - 2) * count, p.damping = p.stiffness + count;
  p.artificial = mote_law_artificial(&world->def.solver);
  mote_fluid *fluid = &world->fluid;
  fluid->rest_density = p.rest_density, fluid->viscosity = p.viscosity, fluid->xsph = p.xsph;
  fluid->stiffness = p.stiffness, fluid->damping = p.damping;
  MOTE_TRY(bind_tension(world, error));
  fluid->viscosity_varies = false;
  for (size_t b = 0; b < mote_world_items(world, MOTE_ITEM_MATERIAL); ++b) {
    size_t first = store->block[b].first[MOTE_GROUP_FLUID];
    const mote_material_def *material = &mote_material_at(world, b)->def;
    properties own = {.rest_density = p.rest_density + first,
                      .viscosity = p.viscosity + first,
                      .xsph = xsph ? p.xsph + first : NULL,
                      .stiffness = cohesive ? p.stiffness + first : NULL,
                      .damping = cohesive ? p.damping + first : NULL,
                      .artificial = p.artificial,
                      .material = material};
    if (world->def.heat && material->heat.viscosity_slope > 0.0 && store->block[b].count > 0) {
      own.temperature = mote_store_rows(store, MOTE_PARTICLE_TEMPERATURE, b);
      fluid->viscosity_varies = true;
      own.heat = mote_material_heat_law(material);
    }
    mote_parallel_for(world->env.threads, store->block[b].count, PARTICLES_PER_TASK, property_chunk, &own);
  }
  return MOTE_OK;
}

mote_result mote_fluid_bind(mote_world *world, mote_error *error) {
  MOTE_ASSERT(world->ready);
  const mote_store *store = mote_world_store(world);
  mote_fluid *fluid = &world->fluid;
  fluid->count = mote_world_fluid_rows(world);
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

mote_result mote_fluid_couple(mote_world *world, mote_error *error) {
  mote_fluid *fluid = &world->fluid;
  size_t most = 0;
  for (int n = 0; n < MOTE_KINDS; ++n) {
    const mote_kind_row *row = world->kinds[n];
    if (row->couple == NULL) continue;
    most += row->group != 0 ? mote_kind_particles_of(world, row->kind).count
                            : mote_world_items(world, (int)row->kind);
  }
  fluid->coupled = NULL, fluid->coupled_count = fluid->touched_count = 0;
  memset(world->coupled, 0, sizeof world->coupled);
  if (most > 0 && fluid->count > 0) MOTE_TAKE(fluid->coupled, &world->scratch, most, error);
  for (int n = 0; n < MOTE_KINDS; ++n)
    if (world->kinds[n]->couple != NULL) world->kinds[n]->couple(world);
  MOTE_ASSERT(fluid->coupled_count <= most);
  return MOTE_OK;
}

mote_result mote_fluid_expect(mote_world *world, mote_error *error) {
  for (int n = 0; n < MOTE_KINDS; ++n)
    if (world->kinds[n]->expect != NULL) MOTE_TRY(world->kinds[n]->expect(world, error));
  return MOTE_OK;
}

void mote_fluid_take_impulses(mote_world *world) {
  for (int n = 0; n < MOTE_KINDS; ++n)
    if (world->kinds[n]->take_impulses != NULL) world->kinds[n]->take_impulses(world);
}
