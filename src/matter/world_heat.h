// Heat of the particles of a world: all of them carry it, or none does (docs/theory/heat.md).
#ifndef MOTE_WORLD_HEAT_H
#define MOTE_WORLD_HEAT_H

#include "matter/world_data.h"

mote_heat_law mote_material_heat_law(const mote_material_def *def);

// A temperature of a definition: NaN stays NaN. error->key is "temperature".
mote_result mote_temperature_make(const mote_value *value, const char *variables, const mote_env *env,
                                  mote_quantity *out, mote_error *error);
// Whether it has one.
static inline bool mote_temperature_is_set(const mote_quantity *quantity) {
  return quantity->formula != NULL || quantity->constant > 0.0;
}

// The rates of a material, of its definition; the formulas there are the caller's and not kept.
mote_result mote_phase_rates_make(const mote_world *world, mote_material_item *item, mote_error *error);

// Whether a body of the definition starts as a melt: a lattice material, and a temperature from its melting
// point on.
bool mote_body_starts_molten(const mote_world *world, const mote_value *temperature,
                             const mote_material_def *material);

// Writes enthalpy, temperature and liquid fraction of new rows of the store, at x, y, z; no effect in a world
// without heat.
mote_result mote_heat_start(mote_world *world, const mote_material_def *material,
                            const mote_value *temperature, size_t first, size_t count, mote_error *error);

// Writes temperature and liquid fraction of all rows, from their enthalpies.
void mote_heat_refresh(mote_world *world);

// Calls the function with each block of rows and the definition of its material.
typedef void mote_heat_block_fn(void *user, size_t first, size_t count, const mote_material_def *material,
                                uint32_t number);
void mote_heat_blocks(const mote_world *world, mote_heat_block_fn *use, void *user);

// Of row i of the store, kg.
double mote_heat_row_mass(const mote_world *world, size_t i);

void mote_heat_free(mote_world *world);

#endif
