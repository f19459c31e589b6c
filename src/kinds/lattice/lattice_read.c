// Access to lattices: see mote/world.h.
#include <math.h>
#include <mote/numeric.h>

#include "geom/triple.h"
#include "kinds/lattice/lattice_bodies.h"

enum { SITES = MOTE_LATTICE_SITES };

size_t mote_world_lattice_particles(const mote_world *world) {
  return mote_world_lattice_rows(world);
}

mote_field_view mote_world_lattice_view(const mote_world *world, const char *field) {
  return mote_kind_view(world, MOTE_KIND_LATTICE, field);
}

static double strain_of(const double basis[9]) {
  double R[9], S[9], sum = 0.0;
  if (!mote_polar3(basis, R, S)) return (double)NAN;
  for (int e = 0; e < 9; ++e) sum += (basis[e] - R[e]) * (basis[e] - R[e]);
  return sqrt(sum);
}

static void measure_rows(const mote_world *world, size_t material, const mote_lattice_measures *out) {
  const mote_store *store = mote_world_store(world);
  size_t block = mote_lattice_block(world, material);
  if (block == SIZE_MAX || store->block[block].count == 0) return;
  size_t first = store->block[block].first[MOTE_GROUP_LATTICE];
  const double *basis = mote_store_f64(store, MOTE_LATTICE_BASIS);
  const uint32_t *neighbour = mote_store_u32(store, MOTE_LATTICE_NEIGHBOUR);
  bool breaks = mote_store_has(store, MOTE_LATTICE_DOCKING, block);
  const float *rate = breaks ? mote_store_rows(store, MOTE_LATTICE_DOCKING, block) : NULL;
  size_t sites = world->def.dimensions == 3 ? SITES : 12;
  for (size_t i = first; i < first + store->block[block].count; ++i) {
    uint32_t taken = 0;
    double open = 0.0;
    for (size_t s = 0; s < sites; ++s) {
      taken += neighbour[SITES * i + s] != 0;
      open += rate != NULL && rate[SITES * (i - first) + s] == 0.0f;
    }
    if (out->strain != NULL) out->strain[i] = strain_of(basis + 9 * i);
    if (out->open != NULL) out->open[i] = open;
    if (out->neighbours != NULL) out->neighbours[i] = taken;
    if (out->material != NULL) out->material[i] = (uint32_t)material;
  }
}

mote_result mote_world_lattice_measure(const mote_world *world, const mote_lattice_measures *out,
                                       mote_error *error) {
  if (world == NULL || out == NULL)
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "world and out must not be NULL");
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_MATERIAL); ++k) measure_rows(world, k, out);
  return MOTE_OK;
}

size_t mote_world_lattice_objects(const mote_world *world) {
  const uint32_t *object = mote_store_u32(mote_world_store(world), MOTE_LATTICE_OBJECT);
  size_t rows = mote_world_lattice_rows(world), count = 0;
  uint32_t last = 0;
  while (rows > 0) {  // the next larger number, until there is none
    uint32_t next = UINT32_MAX;
    for (size_t i = 0; i < rows; ++i) {
      if (object[i] > last && object[i] < next) next = object[i];
    }
    if (next == UINT32_MAX) break;
    ++count, last = next;
  }
  return count;
}
