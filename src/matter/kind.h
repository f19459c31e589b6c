// One row for each kind of matter: what the rest of the program asks of fluids, rigid bodies, elastic bodies
// and lattices. Each row is made in the folder of its kind (src/kinds/NAME/NAME_kind.c); kinds/kinds.c lists
// them, and a world carries that list (world->kinds), so that loops over it take the place of a case for each
// kind. A fifth kind is a value of mote_kind, a folder, a line of the list and, where it has particles, a
// group of fields (particles/fields.h).
//
// A null function has nothing to do for the kind. Bodies of a kind are known by their index k among those
// that are there: below mote_world_items(world, kind).
#ifndef MOTE_KIND_H
#define MOTE_KIND_H

#include "matter/bodies.h"
#include "matter/world_data.h"

// Which blocks of the particle store a kind has, behind those of the kinds before it in mote_kind.
typedef enum mote_kind_blocks {
  MOTE_BLOCKS_NONE,           // its bodies have no particles
  MOTE_BLOCKS_ALL_MATERIALS,  // one for each material, whatever its kind: lattices melt into fluids
  MOTE_BLOCKS_BODIES,         // one for each body; rows keep their order
  MOTE_BLOCKS_MATERIALS,      // one for each material of the kind
} mote_kind_blocks;

// Every item of a kind's list begins with this.
typedef struct mote_kind_item {
  const char *name;
  uint32_t body;  // index among all bodies
} mote_kind_item;

// Sums over matter for mote_totals.
typedef struct mote_totals_sum {
  double origin[3];  // of `centre`, so that far from 0 nothing is lost
  double mass, momentum[3], angular[3], kinetic, centre[3];
  double compression, volume, rest;  // of fluids: mass times compression; volumes compressed and at rest
} mote_totals_sum;

typedef struct mote_kind_row {
  mote_kind kind;
  const char *name;  // as in scenes

  // --- Particles ---
  mote_kind_blocks blocks;
  int group;           // of its own fields; 0: no particles
  int velocity, mass;  // fields of that group: three and one, both f32 or both f64
  int hold;            // field of that group, u8: not 0 where the motion is prescribed; -1: none is
  bool is_liquid;      // as heat sees it
  bool is_sorted;      // rows are sorted by (cell, id) in every step
  bool is_split;       // parts can be split off, and are bodies of the same kind
  // Groups of fields of a block: that of an item, or of a material. All that a block may have: both null.
  uint32_t (*groups)(const mote_world *world, const mote_material_def *material, const void *item);
  // Whether as many rows are in a block of a snapshot as there can be; null: any number.
  bool (*rows_fit)(const void *item, const mote_store *store, size_t block);

  // --- Bodies ---
  uint32_t body_groups;  // of fields in the table of bodies
  size_t item_size;      // 0: no list of items
  void (*free_item)(void *item, const mote_env *env);
  // Before a material of the kind is added: whether the world can have it, and what it needs.
  mote_result (*begin)(mote_world *world, mote_error *error);
  // Fails where its bodies cannot be in one world with a fluid.
  mote_result (*allow_fluid)(const mote_world *world, mote_error *error);
  // Makes a body of the definition: item->shape, its rows and its item among bodies. On failure the world is
  // unchanged except for item->shape.
  mote_result (*make)(mote_world *world, const mote_body_def *def, mote_body_item *item, mote_error *error);
  // Takes the body out of the world: rows, items and row of the table of bodies.
  mote_result (*remove)(mote_world *world, mote_body_place place, mote_error *error);
  // Sets what a part that was split off begins with, in the last row of the kind.
  void (*begin_part)(mote_world *world);
  // Where its shape is, relative to where it was defined. False: the shape does not say where the body is.
  bool (*pose)(const mote_world *world, size_t k, mote_pose *out);
  // Displaces body k, which has no particles, and gives it a velocity (null: it keeps its own).
  void (*place)(mote_world *world, size_t k, const double move[3], const double *velocity);
  // Fails where body k, which was just placed, overlaps a body of the kind, a wall or a collider; null: its
  // particles say where it is.
  mote_result (*check_place)(mote_world *world, size_t k, mote_error *error);
  // As an obstacle of fluid particles over the next `seconds`, or at the end of the step that is under way.
  mote_obstacle (*obstacle)(const mote_world *world, size_t k, double seconds);
  double (*mass_of)(const mote_world *world, size_t k);  // kg; null: the sum of its particles
  bool (*is_fixed)(const mote_world *world, size_t k);
  // Applies an impulse, N s, at a point (null: to all of it); null: particles gain velocity.
  void (*strike)(mote_world *world, size_t k, const double impulse[3], const double *at);
  // The velocity of its point x, m/s, and by rows what an impulse of 1 N s there adds to it; null: a hand
  // holds particles.
  void (*mobility)(const mote_world *world, size_t k, const double x[3], double velocity[3],
                   double change[9]);
  // Points of its surface where it was defined, for the search of overlaps; null: its particles do for that.
  const mote_contact_samples *(*contact_samples)(const mote_world *world, size_t k);

  // --- Heat ---
  // Of a body without particles, in K, in x, y, z where it was defined; constant NaN: insulated.
  const mote_quantity *(*temperature)(const mote_world *world, size_t k);
  // That particles of the body with this label keep which this hold holds, K; NaN: they conduct.
  double (*kept_temperature)(const mote_world *world, uint32_t label, uint8_t hold);
  // After the temperatures of rows of one block have changed, where the material has latent heat.
  void (*heated)(const mote_world *world, size_t first, size_t count);

  // --- Fluids around it ---
  mote_result (*add_samples)(mote_world *world, mote_boundary *boundary, mote_error *error);
  bool (*samples_suffice)(const mote_world *world);
  // Appends its particles, or its bodies where it has none, to world->fluid.coupled and places their samples.
  void (*couple)(mote_world *world);
  // Gives the coupled bodies the velocities expected at the end of the step without the fluid.
  mote_result (*expect)(mote_world *world, mote_error *error);
  void (*take_impulses)(mote_world *world);  // of the fluid

  // --- A step ---
  // Makes what follows from definitions and state, before the first step after a change.
  mote_result (*prepare)(mote_world *world, mote_error *error);
  // Its stage: forces, contacts and motion of its bodies over world->dt, and the entry of the energy ledger.
  mote_result (*step)(mote_world *world, mote_error *error);
  int ledger;
  // The fastest that it is now, and that prescribed motion makes it over the next `seconds`, m/s.
  double (*speed)(const mote_world *world, double t, double seconds);
  mote_result (*limit_step)(mote_world *world, double *longest, mote_error *error);  // shortens it
  mote_result (*check)(const mote_world *world, mote_error *error);                  // after the step
  // Writes its sums of energy: kinetic and of gravity, J, and the power of gravity, W; null: over particles.
  void (*energy)(const mote_world *world, double sum[2]);
  double (*stored_energy)(const mote_world *world);  // J: of deformation, as of its last step

  // --- Reading ---
  void (*add_totals)(const mote_world *world, mote_totals_sum *sum, mote_totals *out);
  // Position, orientation, velocity and angular momentum: all that moves of a body without particles.
  void (*read_motion)(const mote_world *world, size_t k, double out[13]);
  void (*read_body)(const mote_world *world, size_t k, mote_body_state *out);
  mote_result (*read_point)(mote_world *world, size_t k, const double from[3], mote_reading *out,
                            mote_error *error);
  mote_result (*read_force)(mote_world *world, size_t k, mote_reading *out, mote_error *error);
} mote_kind_row;

static inline const mote_kind_row *mote_kind_row_of(const mote_world *world, mote_kind kind) {
  MOTE_ASSERT((unsigned)kind < MOTE_KINDS);
  return world->kind[kind];
}

// Item k of the bodies of a kind that are there.
static inline mote_kind_item *mote_kind_item_at(const mote_world *world, mote_kind kind, size_t k) {
  size_t number = mote_item_number(world, (int)kind, k);
  return (mote_kind_item *)((char *)world->item[kind].data + number * world->kind[kind]->item_size);
}
static inline const mote_shape *mote_kind_shape(const mote_world *world, mote_kind kind, size_t k) {
  return mote_body_at(world, mote_kind_item_at(world, kind, k)->body)->shape;
}
// The item of the body with this definition; the number of items: there is none.
size_t mote_kind_find_definition(const mote_world *world, mote_kind kind, size_t definition);

// --- Particles of a kind ------------------------------------------------------------------------------

// Blocks of the store: how many the kind has, and the first.
size_t mote_kind_block_count(const mote_world *world, mote_kind kind);
size_t mote_kind_first_block(const mote_world *world, mote_kind kind);
// The block of a material's rows of this kind; SIZE_MAX: it has none.
size_t mote_kind_block_of_material(const mote_world *world, mote_kind kind, size_t material);
// The block of a body's rows.
size_t mote_kind_block_of_body(const mote_world *world, mote_body_place place);
// The material of a block of a kind: `block` counts from its first.
size_t mote_kind_material_of_block(const mote_world *world, mote_kind kind, size_t block);

// Owner of samples for fluids (mote_boundary_set_owner): a number of its own for each body k of a kind, or,
// of kinds with blocks by material, for each material k.
uint32_t mote_kind_owner(const mote_world *world, mote_kind kind, size_t k);

// Removes the particles of the body that are of this kind, which need not be its own: lattices melt.
mote_result mote_kind_remove_particles(mote_world *world, mote_body_place place, mote_kind kind,
                                       mote_error *error);

// The kind whose particles are liquid: what flows out of emitters, and what melts becomes.
mote_kind mote_kind_of_liquids(const mote_world *world);

// Fails where a body of another kind cannot be in one world with a fluid.
mote_result mote_kinds_allow_fluid(const mote_world *world, mote_error *error);

// The first row of a kind in the store, whose rows lie together; the kind of a row.
size_t mote_kind_first_row(const mote_world *world, mote_kind kind);
mote_kind mote_kind_of_particle(const mote_world *world, size_t row);

// The rows of a kind. Mass and velocity are f32 or f64: the others are null.
typedef struct mote_kind_particles {
  size_t first, count;  // rows of the store
  double *position;
  const uint64_t *id;
  uint32_t *label;
  float *velocity_f32;
  const float *mass_f32;
  double *velocity;
  const double *mass;
  const uint8_t *hold;  // null: none
} mote_kind_particles;
mote_kind_particles mote_kind_particles_of(const mote_world *world, mote_kind kind);

static inline double mote_kind_mass(const mote_kind_particles *p, size_t i) {
  return p->mass != NULL ? p->mass[i] : (double)p->mass_f32[i];
}
static inline void mote_kind_velocity(const mote_kind_particles *p, size_t i, double v[3]) {
  for (size_t a = 0; a < 3; ++a)
    v[a] = p->velocity != NULL ? p->velocity[3 * i + a] : (double)p->velocity_f32[3 * i + a];
}

// Groups of fields that rows of a kind with particles can have in this world.
uint32_t mote_kind_field_groups(const mote_world *world, mote_kind kind);
// A field of the rows of a kind; of one that it does not have, no data.
mote_field_view mote_kind_view(const mote_world *world, mote_kind kind, const char *field);

// Particles in a fluid, each a coupled body of one sample (fluid/coupled_body.h); world->coupled[kind] is the
// entry of the kind's first row. couple: appends the rows of a block, which have these samples. take: adds
// the impulses of the fluid to the velocities. spread: takes those of this step back from rows begin to end -
// 1 and adds them as constant accelerations.
void mote_kind_couple_rows(mote_world *world, mote_kind kind, size_t block, mote_boundary_range samples);
void mote_kind_take_impulses(mote_world *world, mote_kind kind);
void mote_kind_spread_impulses(mote_world *world, mote_kind kind, size_t begin, size_t end,
                               double *acceleration);

// Adds the particles of a kind to the totals.
void mote_kind_sum_particles(const mote_world *world, mote_kind kind, mote_totals_sum *sum, mote_totals *out);

#endif
