// Lattice bodies of a world (WIC06): creation from definitions, blocks of rows. Theory:
// docs/theory/lattice.md
#ifndef MOTE_LATTICE_BODIES_H
#define MOTE_LATTICE_BODIES_H

#include "matter/kind.h"

extern const mote_kind_row mote_kind_row_lattice;

// lattice_speed.c: the item of the body that a particle has as its label; null: none.
const mote_lattice_item *mote_lattice_item_of(const mote_world *world, uint32_t label);

// stage_lattice.c: forces in lattices and their motion over world->dt. Writes the lattice rows, and
// velocities of the bodies that they touch.
mote_result mote_lattice_bodies_step(mote_world *world, mote_error *error);

// Groups of the lattice block of a material.
static inline uint32_t mote_lattice_groups(const mote_world *world, const mote_material_def *def) {
  bool breaks = isfinite(def->lattice.docking_rate) || isfinite(def->elastic.strength);
  return 1u << MOTE_GROUP_LATTICE | (breaks ? 1u << MOTE_GROUP_DOCKING : 0u) |
         (world->def.heat ? 1u << MOTE_GROUP_HEAT : 0u);
}

// The block of the lattice rows of a material of that model, in the table of particles: behind those of the
// materials' fluid rows and of the elastic bodies. SIZE_MAX: the material is of another model.
size_t mote_lattice_block(const mote_world *world, size_t material);

// Positions, ids and labels of all lattice rows, which lie together. Fields of their group begin with them.
static inline size_t mote_lattice_first_row(const mote_world *world) {
  return mote_kind_first_row(world, MOTE_KIND_LATTICE);
}

mote_lattice_law mote_lattice_law_of(const mote_world *world, size_t material);
double mote_lattice_volume(const mote_world *world, size_t material);  // of a particle, m^3

// Creates a lattice body from the definition: its shape (item->shape), its rows, and its item among bodies.
// On failure the world is unchanged except for item->shape.
mote_result mote_lattice_body_make(mote_world *world, const mote_body_def *def, mote_body_item *item,
                                   mote_error *error);
void mote_lattice_item_free(void *item, const mote_env *env);

// All lattice rows as a step works with them, in scratch memory: parts, and arrays of the state. Not yet
// begun.
mote_result mote_lattice_open(mote_world *world, mote_lattice *out, mote_error *error);

// lattice_coupled.c: in a fluid every lattice particle is a coupled body of one sample, as elastic ones are
// (elastic_bodies.h). add_samples: makes room for them in a boundary. suffice: whether there is enough.
mote_result mote_lattice_add_samples(mote_world *world, mote_boundary *boundary, mote_error *error);
bool mote_lattice_samples_suffice(const mote_world *world);
void mote_lattice_couple(mote_world *world);
mote_result mote_lattice_coupled_expect(mote_world *world, mote_error *error);

// lattice_speed.c. held_velocity: with which held particle i goes straight to where its hold's motion ends in
// dt seconds; false where that is no number.
bool mote_lattice_has_holds(const mote_world *world);
bool mote_lattice_held_velocity(const mote_world *world, size_t i, double t, double dt, double v[3]);
// Speed of the fastest particle now, and of held particles over the next `seconds`, m/s.
double mote_lattice_speed(const mote_world *world, double t, double seconds);

#endif
