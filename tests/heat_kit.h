// Slabs of particles that conduct heat, for tests: periodic across, with faces at x = 0 and x = length.
#ifndef MOTE_HEAT_KIT_H
#define MOTE_HEAT_KIT_H

#include <stdlib.h>

#include "base/random.h"
#include "heat/conduction.h"
#include "test.h"

#define HEAT_KIT_ACROSS 6

typedef struct heat_kit {
  int dimensions, along;
  double spacing;
  size_t count;
  double *position, *volume, *mass, *conductance, *heat, *enthalpy;
  uint32_t *kind;
  mote_heat_law law[2];
  mote_heat_kernel kernel;
  mote_domain domain;
  mote_grid *grid;
  mote_arena scratch;
  mote_lists lists;
  mote_heat_report report;
} heat_kit;

// Particles of one spacing, moved by up to `jitter` spacings along each axis, of law 0.
static inline heat_kit heat_kit_make(int dimensions, int along, double spacing, double jitter) {
  size_t across = dimensions == 3 ? HEAT_KIT_ACROSS * HEAT_KIT_ACROSS : HEAT_KIT_ACROSS;
  heat_kit kit = {.dimensions = dimensions, .along = along, .spacing = spacing};
  size_t n = kit.count = (size_t)along * across;
  double *all = calloc(8 * n, sizeof *all),
         volume = dimensions == 3 ? spacing * spacing * spacing : spacing * spacing;
  kit.position = all, kit.volume = all + 3 * n, kit.mass = all + 4 * n, kit.conductance = all + 5 * n;
  kit.heat = all + 6 * n, kit.enthalpy = all + 7 * n;
  kit.kind = calloc(n, sizeof *kit.kind);
  for (size_t i = 0; i < n; ++i) {
    size_t at[3] = {i / across, i % HEAT_KIT_ACROSS, i % across / HEAT_KIT_ACROSS};
    for (int a = 0; a < dimensions; ++a)
      kit.position[3 * i + (size_t)a] =
          spacing * ((double)at[a] + 0.5 + jitter * mote_random_between(1, (uint64_t)a, i, -1.0, 1.0));
    kit.volume[i] = kit.mass[i] = volume;
  }
  kit.law[0] = kit.law[1] = mote_heat_law_make(1.0, 1.0, 0.0, 0.0, 0.0, 0.0);
  kit.kernel = mote_heat_kernel_make(dimensions, spacing);
  kit.domain = mote_domain_open(dimensions);
  for (int a = 1; a < dimensions; ++a)
    kit.domain.periodic[a] = true, kit.domain.high[a] = HEAT_KIT_ACROSS * spacing;
  mote_env env = mote_env_resolve(NULL);
  mote_grid_def def = mote_heat_grid_def(&kit.domain, &kit.kernel);
  kit.scratch = mote_arena_make(&env);
  CHECK(mote_grid_create(&def, NULL, &kit.grid, NULL) == MOTE_OK);
  CHECK(mote_grid_build(kit.grid, kit.position, n, NULL) == MOTE_OK);
  CHECK(mote_grid_neighbours(kit.grid, &kit.lists, NULL) == MOTE_OK);
  return kit;
}

static inline void heat_kit_free(heat_kit *kit) {
  free(kit->position), free(kit->kind);
  mote_grid_destroy(kit->grid);
  mote_arena_destroy(&kit->scratch);
}

// A face at x = 0 and, where asked for, at the other end, of a temperature.
static inline void heat_kit_faces(heat_kit *kit, double temperature, bool both) {
  double length = kit->along * kit->spacing;
  for (size_t i = 0; i < kit->count; ++i) {
    double x = kit->position[3 * i], k = kit->law[kit->kind[i]].conductivity * kit->volume[i];
    kit->conductance[i] = k * mote_heat_kernel_wall(&kit->kernel, x);
    if (both) kit->conductance[i] += k * mote_heat_kernel_wall(&kit->kernel, length - x);
    kit->heat[i] = kit->conductance[i] * temperature;
  }
}

static inline void heat_kit_step(heat_kit *kit, double dt, int threads) {
  mote_heat_rows rows = {kit->count, kit->position,    kit->volume, kit->mass,    kit->kind,
                         kit->law,   kit->conductance, kit->heat,   kit->enthalpy};
  CHECK(mote_heat_conduct(&rows, &kit->kernel, &kit->domain, &kit->lists, dt, threads, &kit->scratch,
                          &kit->report, NULL) == MOTE_OK);
}

static inline double heat_kit_temperature(const heat_kit *kit, size_t i) {
  return mote_heat_temperature(&kit->law[kit->kind[i]], kit->enthalpy[i]);
}

static inline double heat_kit_total(const heat_kit *kit) {
  double sum = 0.0;
  for (size_t i = 0; i < kit->count; ++i) sum += kit->mass[i] * kit->enthalpy[i];
  return sum;
}

#endif
