// Heat of the particles of a world: see world_heat.h.
#include "matter/world_heat.h"

#include <math.h>

#include "base/parallel.h"
#include "matter/kind.h"

#define PARTICLES_PER_TASK 4096

mote_heat_law mote_material_heat_law(const mote_material_def *def) {
  const mote_heat_def *h = &def->heat;
  double melting = h->melting_point > 0.0 ? h->melting_point : 0.0;
  double freezing = h->freezing_point > 0.0 ? h->freezing_point : melting;
  return mote_heat_law_make(h->conductivity, h->heat_capacity, freezing, melting, h->latent_heat,
                            h->viscosity_slope);
}

mote_result mote_temperature_make(const mote_value *value, const char *variables, const mote_env *env,
                                  mote_quantity *out, mote_error *error) {
  *out = (mote_quantity){.constant = (double)NAN};
  if (value->formula == NULL && isnan(value->constant)) return MOTE_OK;
  return mote_quantity_make(value, variables, "temperature", env, out, error);
}

static mote_result make_rate(const mote_value *value, const char *key, const mote_env *env,
                             mote_quantity *out, mote_error *error) {
  *out = (mote_quantity){.constant = value->constant};
  if (value->formula == NULL && isinf(value->constant)) return MOTE_OK;
  return mote_quantity_make(value, "x y z t T", key, env, out, error);
}

mote_result mote_phase_rates_make(const mote_world *world, mote_material_item *item, mote_error *error) {
  mote_heat_def *heat = &item->def.heat;
  if (!mote_world_melts(world, &item->def)) return MOTE_OK;
  MOTE_TRY(make_rate(&heat->melting_rate, "melting_rate", &world->env, &item->melting_rate, error));
  mote_result result =
      make_rate(&heat->freezing_rate, "freezing_rate", &world->env, &item->freezing_rate, error);
  if (result != MOTE_OK) mote_quantity_free(&item->melting_rate);
  heat->melting_rate.formula = heat->freezing_rate.formula = NULL;
  return result;
}

bool mote_body_starts_molten(const mote_world *world, const mote_value *temperature,
                             const mote_material_def *material) {
  double T = temperature->constant > 0.0 ? temperature->constant : MOTE_ROOM_TEMPERATURE;
  return mote_world_melts(world, material) && temperature->formula == NULL &&
         T >= material->heat.melting_point;
}

static void use_block(const mote_world *world, size_t b, size_t number, mote_heat_block_fn *use, void *user) {
  const mote_block *block = &mote_world_store(world)->block[b];
  if (block->count == 0) return;
  MOTE_ASSERT(block->first[MOTE_GROUP_HEAT] == block->first[0]);
  use(user, block->first[0], block->count, &mote_material_at(world, number)->def, (uint32_t)number);
}

void mote_heat_blocks(const mote_world *world, mote_heat_block_fn *use, void *user) {
  for (int kind = 0; kind < MOTE_KINDS; ++kind) {
    size_t first = mote_kind_first_block(world, (mote_kind)kind);
    for (size_t b = 0; b < mote_kind_block_count(world, (mote_kind)kind); ++b)
      use_block(world, first + b, mote_kind_material_of_block(world, (mote_kind)kind, b), use, user);
  }
}

// --- Temperatures -----------------------------------------------------------------------------------------

typedef struct rows {
  mote_heat_law law;
  bool flows;
  const double *enthalpy;
  float *temperature, *liquid;
} rows;

static rows rows_from(const mote_world *world, const mote_material_def *material, size_t first) {
  const mote_store *store = mote_world_store(world);
  return (rows){mote_material_heat_law(material),
                mote_kind_row_of(world, mote_kind_of_particle(world, first))->is_liquid,
                mote_store_f64(store, MOTE_PARTICLE_ENTHALPY) + first,
                mote_store_f32(store, MOTE_PARTICLE_TEMPERATURE) + first,
                mote_store_f32(store, MOTE_PARTICLE_LIQUID) + first};
}

static void refresh_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const rows *r = data;
  for (size_t i = begin; i < end; ++i) {
    r->temperature[i] = (float)mote_heat_temperature(&r->law, r->enthalpy[i]);
    r->liquid[i] = r->law.latent > 0.0 ? (float)(1.0 - mote_heat_solid_fraction(&r->law, r->enthalpy[i]))
                                       : (r->flows ? 1.0f : 0.0f);
  }
}

static void refresh_block(void *user, size_t first, size_t count, const mote_material_def *material,
                          uint32_t number) {
  (void)number;
  const mote_world *world = user;
  rows r = rows_from(world, material, first);
  mote_parallel_for(world->env.threads, count, PARTICLES_PER_TASK, refresh_chunk, &r);
  const mote_kind_row *kind = mote_kind_row_of(world, mote_kind_of_particle(world, first));
  if (kind->heated != NULL && r.law.latent > 0.0) kind->heated(world, first, count);
}

void mote_heat_refresh(mote_world *world) {
  if (world->def.heat) mote_heat_blocks(world, refresh_block, world);
}

mote_result mote_heat_start(mote_world *world, const mote_material_def *material,
                            const mote_value *temperature, size_t first, size_t count, mote_error *error) {
  if (!world->def.heat || count == 0) return MOTE_OK;
  const mote_store *store = mote_world_store(world);
  const double *x = mote_store_f64(store, MOTE_PARTICLE_POSITION) + 3 * first;
  double *H = mote_store_f64(store, MOTE_PARTICLE_ENTHALPY) + first;
  rows r = rows_from(world, material, first);
  mote_quantity quantity;
  MOTE_TRY(mote_temperature_make(temperature, "x y z", &world->env, &quantity, error));
  bool set = mote_temperature_is_set(&quantity);
  mote_result result = MOTE_OK;
  for (size_t i = 0; i < count && result == MOTE_OK; ++i) {
    double T = set ? mote_quantity_at(&quantity, x + 3 * i) : MOTE_ROOM_TEMPERATURE;
    if (!(T >= 0.0 && T <= 1e5))
      result = mote_fail_key(error, "temperature", "at (%g, %g, %g) it is %g K", x[3 * i], x[3 * i + 1],
                             x[3 * i + 2], T);
    H[i] = mote_heat_enthalpy(&r.law, T, r.flows);
  }
  mote_quantity_free(&quantity);
  refresh_chunk(&r, 0, count, 0);
  return result;
}

double mote_heat_row_mass(const mote_world *world, size_t i) {
  mote_kind_particles p = mote_kind_particles_of(world, mote_kind_of_particle(world, i));
  return mote_kind_mass(&p, i - p.first);
}

void mote_heat_free(mote_world *world) {
  mote_grid_destroy(world->heat.grid);
  mote_free(&world->env, world->heat.event, world->heat.event_capacity, sizeof *world->heat.event);
  world->heat = (mote_world_heat){0};
}
