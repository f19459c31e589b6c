// Particles of a kind in a fluid: see kind.h.
#include "fluid/coupled_body.h"
#include "geom/triple.h"
#include "matter/kind.h"

void mote_kind_couple_rows(mote_world *world, mote_kind kind, size_t block, mote_boundary_range samples) {
  const mote_store *store = mote_world_store(world);
  mote_kind_particles p = mote_kind_particles_of(world, kind);
  size_t first = store->block[block].first[0] - p.first, count = store->block[block].count;
  MOTE_ASSERT(count <= samples.count && p.mass != NULL && p.hold != NULL);
  if (count == 0) return;
  samples.count = count;
  mote_boundary_set_positions(world->boundary, samples, p.position + 3 * first, p.velocity + 3 * first);
  for (size_t i = 0; i < count; ++i) {
    mote_coupled_body *body = &world->fluid.coupled[world->fluid.coupled_count++];
    *body = (mote_coupled_body){.samples = {true, samples.first + i, 1},
                                .inverse_mass = p.hold[first + i] != 0 ? 0.0 : 1.0 / p.mass[first + i]};
    copy3(p.position + 3 * (first + i), body->x);
    copy3(p.velocity + 3 * (first + i), body->velocity);
  }
}

void mote_kind_take_impulses(mote_world *world, mote_kind kind) {
  mote_kind_particles p = mote_kind_particles_of(world, kind);
  for (size_t i = 0; world->coupled[kind] != NULL && i < p.count; ++i) {
    mote_coupled_body *body = world->coupled[kind] + i;
    step3(p.velocity + 3 * i, body->inverse_mass, body->impulse, p.velocity + 3 * i);
    step3(body->given, 1.0, body->impulse, body->given);
    set3(0.0, 0.0, 0.0, body->impulse);
    set3(0.0, 0.0, 0.0, body->twist);
  }
}

void mote_kind_spread_impulses(mote_world *world, mote_kind kind, size_t begin, size_t end,
                               double *acceleration) {
  mote_kind_particles p = mote_kind_particles_of(world, kind);
  for (size_t i = begin; world->coupled[kind] != NULL && i < end; ++i) {
    const mote_coupled_body *body = world->coupled[kind] + i;
    step3(p.velocity + 3 * i, -body->inverse_mass, body->given, p.velocity + 3 * i);
    step3(acceleration + 3 * i, body->inverse_mass / world->dt, body->given, acceleration + 3 * i);
  }
}
