// The world inside: what was asked for (items made of definitions), what is (state), and what a step works
// with.
#ifndef MOTE_WORLD_DATA_H
#define MOTE_WORLD_DATA_H

#include <mote/world.h>
#include <stdatomic.h>

#include "base/arena.h"
#include "contact/contact.h"
#include "contact/elastic_contact.h"
#include "contact/rigid.h"
#include "elastic/elastic_explicit.h"
#include "elastic/elastic_implicit.h"
#include "elastic/elastic_stiffness.h"
#include "fluid/individual_steps.h"
#include "heat/conduction.h"
#include "lattice/lattice_data.h"
#include "pairs/boundary.h"
#include "pairs/fluid.h"
#include "scene/kind_properties.h"
#include "scene/pressure_kinds.h"
#include "state/state.h"
#include "things/collide.h"
#include "things/emit.h"
#include "things/field_force.h"
#include "things/motion.h"
#include "things/quantity.h"

// --- Items: one for each thing that was added. Names are the world's own. ----------------------------

// Its particles are block k of the store, k its number.
typedef struct mote_material_item {
  mote_material_def def;
  mote_material_def given;      // as defined: before commands have changed it
  mote_boundary_range samples;  // its lattice rows as samples for fluids, and more to come; empty: none
  mote_quantity melting_rate, freezing_rate;  // of a lattice, in x, y, z, t, T; constants: over kelvins
} mote_material_item;

typedef struct mote_body_item {
  const char *name;
  uint32_t material;
  uint32_t id;  // in the table of bodies
  mote_shape *shape;
  double speed;                  // of its fastest particle at the beginning
  struct mote_waiting *waiting;  // waiting.h; null: it does not wait
} mote_body_item;

// A rigid body: row k of the table of rigid bodies, k its index.
typedef struct mote_rigid_item {
  const char *name;
  uint32_t body;            // its index among all bodies
  const mote_shape *shape;  // owned by the body item
  mote_contact_samples contact_samples;
  mote_rigid rigid;
  uint32_t material;
  double radius;                // of a ball about its reference point that contains it, m
  mote_boundary_range samples;  // samples for fluids; empty without fluids
  mote_quantity temperature;    // K, in x, y, z where it was defined; constant NaN: insulated
} mote_rigid_item;

// Particles of an elastic body with prescribed motion.
typedef struct mote_elastic_hold {
  mote_motion *motion;
  double temperature;  // K; NaN: they conduct like the others
} mote_elastic_hold;

typedef struct mote_elastic_load {
  mote_quantity force[3], moment[3];    // N, N m, functions of t: sums over all loaded particles
  mote_quantity traction[3], pressure;  // Pa
  bool follow;
  double mass;    // of the loaded particles, kg
  uint32_t *row;  // particles that share the loaded faces
  double *share;  // four each: area vector and area, m^2
  size_t rows;
} mote_elastic_load;

// An elastic body: block k of the table of elastic particles and row k of that of elastic bodies, k its
// index.
typedef struct mote_elastic_item {
  const char *name;
  uint32_t body;            // its index among all bodies
  const mote_shape *shape;  // owned by the body item
  mote_elastic *origin;     // in its first reference
  mote_elastic *elastic;    // in its current reference; may be the same
  mote_integrator integrator;
  mote_elastic_frequency frequency;
  double *rest;    // positions of its particles at rest
  double *filled;  // and before clamps have moved some; null: the same
  size_t filled_count;
  bool flows, renews;
  double renew_strain;
  mote_plastic_law plastic;
  mote_elastic_hold *hold;
  mote_elastic_load *load;
  size_t holds, loads;
  mote_boundary_range samples;     // its particles as samples for fluids; empty without fluids
  struct mote_fracture *fracture;  // fracture_bodies.h; null: it never breaks
} mote_elastic_item;

// A lattice body, with the holds of its definition.
typedef struct mote_lattice_item {
  const char *name;
  uint32_t body;  // its index among all bodies
  mote_elastic_hold *hold;
  size_t holds;
} mote_lattice_item;

typedef struct mote_collider_item {
  const char *name;
  mote_shape *shape;
  mote_motion *motion;          // null: the walls of the domain
  bool moves, moves_by_itself;  // the second: by its definition
  double own_speed;             // by that, the fastest of its bounds, m/s
  double friction;
  mote_quantity belt[3];      // the velocity of its surface along itself
  mote_quantity temperature;  // K, in x, y, z, t; constant NaN: insulated
  double belt_speed;          // the fastest of its samples
  mote_boundary_range samples;
} mote_collider_item;

typedef struct mote_emitter_item {
  mote_emitter_def def;  // its formula is not kept
  uint32_t material;
  uint32_t id;  // of the body that it emits, in the table of bodies
  mote_nozzle *nozzle;
  double own_speed;  // of its flow at most, by its definition, m/s
  bool removed;      // it never flows again
} mote_emitter_item;

typedef struct mote_drain_item {
  const char *name;
  mote_shape *shape;
  double start, end;
} mote_drain_item;

typedef struct mote_force_item {
  const char *name;
  mote_field_force *force;
} mote_force_item;

typedef struct mote_probe_item {
  mote_probe_def def;            // `of` is not kept
  char of[MOTE_BODY_NAME_SIZE];  // what it is of; empty: probes of fluids
  int target;    // list of items: a mote_kind or MOTE_ITEM_COLLIDER; -1: none. As it was when last read
  size_t index;  // there
} mote_probe_item;

typedef struct mote_world_track mote_world_track;  // world_track.h

typedef struct mote_surface_item {
  const char *name;
  mote_surface_def def;
  mote_surface_walls walls;
  mote_surfacer *surfacer;
  size_t history;  // its row in the table of surfaces; SIZE_MAX: it remembers nothing
  mote_surface_rows rows;
} mote_surface_item;

// The bodies of a scene that is being made into a world: those from `first` on are not there yet.
typedef struct mote_coming_bodies {
  const mote_body_def *def;
  size_t first, count;
  double (*box)[6];  // bounds of all of them, NaN for shapes that cannot be made; null: not asked for yet
} mote_coming_bodies;

// A growing array of items, of which some may be removed: those that are there are known by their place k
// below count, all by their number, in the order of addition.
typedef struct mote_items {
  void *data;
  size_t count, capacity;
  size_t all;
  uint32_t *number;  // of the k-th that is there, ascending; null: k
  size_t number_capacity;
} mote_items;

// Lists of items: of the bodies of each mote_kind, then these.
enum {
  MOTE_ITEM_MATERIAL = MOTE_KINDS,
  MOTE_ITEM_BODY,
  MOTE_ITEM_COLLIDER,
  MOTE_ITEM_EMITTER,
  MOTE_ITEM_DRAIN,
  MOTE_ITEM_FORCE,
  MOTE_ITEM_PROBE,
  MOTE_ITEM_SURFACE,
  MOTE_ITEM_LISTS
};

// All elastic bodies as one system, since they may be in contact.
typedef struct mote_elastic_bodies {
  mote_arena memory;
  mote_elastic_group group;         // rows of the table of their particles
  mote_elastic_implicit *implicit;  // null: explicit steps are all that is asked for
  mote_elastic_contact *contact;    // null: there is no elastic body
  bool has_holds;                   // whether any body has holds
  bool flows;                       // any
} mote_elastic_bodies;

// Contact of rigid bodies.
typedef struct mote_contacts {
  mote_contact_finder *finder;  // null: no rigid or elastic body was added yet
  mote_shape *side[6];          // half spaces of the domain's walls; null: no wall
  mote_obstacle *obstacle;
  mote_contact_set set;
  mote_contact_set lasting;  // contacts predicted to persist, for the pressure solve
  size_t obstacle_capacity;
  // Of bodies at the start of the step, in its scratch memory; null between steps.
  mote_pose *before;
  double *velocity_before;
  // Of bodies: solved with deformable ones in this step, and pressed by them against something that does not
  // give way, off which they do not bounce.
  uint8_t *met, *pressed;
  mote_contact_set given;  // contacts solved so, with their impulses, which velocities contain
  // N s in the last step by fluids, three of each rigid body, then of each elastic one; and on colliders.
  // Kept where a probe of forces is (probe_forces.h).
  double *fluid_impulse;
  size_t fluid_bodies, fluid_impulse_capacity;
  mote_wall_probe *wall_probe;
  size_t wall_probe_capacity;
} mote_contacts;

// Compression in the frame that has begun (kinds/fluid/compression_watch.h).
typedef struct mote_compression_watch {
  double seconds, integral;  // of the frame's steps so far, and of their mean compressions
  size_t steps, unfinished;  // unfinished: with a solve that did not converge
  double start;              // mean compression that the first steps with fluid found; 0: not known
  bool empty;                // the frame began without fluid
  mote_compression_report report;
} mote_compression_watch;

// Frames with inverted elastic particles (kinds/elastic/inversion_watch.h).
typedef struct mote_inversion_watch {
  size_t frames;  // in a row until now
  mote_inversion_report report;
} mote_inversion_watch;

// Bodies since the world was made or loaded (kinds/rigid/body_watch.h).
typedef struct mote_body_watch {
  size_t bodies;
  double least, kinetic;  // J: least energy and largest kinetic energy so far
  mote_body_fault_report report;
} mote_body_watch;

// What commands have made of the definitions (steering.h): a function of the definitions and of the table of
// commands.
typedef struct mote_addressed {
  bool pieces;    // a body with all its pieces, "cube.*"
  uint32_t body;  // id; with pieces: the number of its definition
} mote_addressed;
typedef struct mote_steered_force {
  mote_addressed of;
  double force[3];  // N
} mote_steered_force;
// The last pull. What it holds is state (hand.h).
typedef struct mote_hand {
  double at[3], to[3], radius;  // m
  double stiffness;             // 1/s^2; 0: none
  double until;                 // s
} mote_hand;
typedef struct mote_steering {
  bool rebuilt;                    // commands have changed what wall samples are made of
  double gravity[3];               // of the definition, m/s^2
  double speed, stirring;          // that commands can have brought about, m/s; stirring: of colliders
  double own_speed, own_stirring;  // of the definitions alone
  mote_steered_force *force;
  size_t forces, force_capacity;
  mote_hand hand;
} mote_steering;

// --- The world ---------------------------------------------------------------------------------------

// Heat, where the world has any.
typedef struct mote_world_heat {
  mote_heat_kernel kernel;
  mote_grid *grid;
  mote_heat_report report;  // of the last step
  mote_phase_event *event;  // of the last step
  size_t events, event_capacity;
} mote_world_heat;

#define MOTE_STAGES_MAX 24

struct mote_world {
  mote_env outer, env;  // the caller's, and the same with bytes counted
  atomic_size_t bytes;
  mote_world_def def;
  mote_domain domain;
  uint64_t definitions;  // a hash of all that was asked for
  mote_arena names;      // as long as the world lives
  mote_items item[MOTE_ITEM_LISTS];
  // The table of kinds (kind.h): in the order in which they are coupled to fluids, and by mote_kind.
  const struct mote_kind_row *const *kinds;
  const struct mote_kind_row *kind[MOTE_KINDS];
  mote_collider_item walls;  // of the domain; no shape: none
  mote_coming_bodies coming;
  bool aside;  // a body is being made that waits: nothing is in its way

  uint64_t generation;  // calls so far that may have moved or changed rows of particles
  mote_state now;
  mote_state frame;  // now, as it was at the frame's beginning
  bool has_frame;

  // Made of the definitions when the first step after a change needs it.
  bool ready;
  bool sampled;  // `boundary` was made for fluids
  mote_boundary *boundary;
  mote_grid *grid;
  double speed;     // that the scene can be expected to reach, m/s
  double stirring;  // the fastest point of a collider or of a belt, m/s
  mote_steering steering;

  // Of the step.
  bool measured;       // densities are those of the particles
  mote_arena scratch;  // released when the step ends
  mote_fluid fluid;
  bool stepping;                // not only measuring
  mote_individual_steps steps;  // where particles have their own: of the tick
  double until, dt;
  mote_contacts contacts;
  mote_elastic_bodies elastic_bodies;
  mote_world_heat heat;
  mote_world_track *track;  // null: no surface is tracked
  mote_lattice_buffers lattice_buffers;
  double lattice_energy;        // J: stored in lattices when the last step ended
  double lattice_shock;         // mote_lattice_shock in the last step
  uint32_t lattice_shock_body;  // 1 + id of the body where it was
  // Entries of each kind's particles in fluid.coupled, in a step with fluids; null: not coupled.
  struct mote_coupled_body *coupled[MOTE_KINDS];
  double *from;              // positions when the step began
  bool lands;                // the step ends at `until`
  mote_obstacle *obstacle;   // walls and colliders, where they are before and after the step
  size_t obstacle_capacity;  // beside the fluid's pairs nothing here is large
  mote_step_report report;
  size_t ledger;                     // index of the ledger's table (ledger.h); 0: none
  double stored_energy[MOTE_KINDS];  // for the ledger: of deformation, J
  float *kept_forces[2];      // for the ledger: accelerations without and with tension; in scratch memory
  float *field_acceleration;  // for the ledger: by force fields; null: none; in scratch memory
  mote_compression_watch compression_watch;
  mote_inversion_watch inversion_watch;
  mote_body_watch body_watch;
  int stage;  // that runs
  double seconds[MOTE_STAGES_MAX];
};

static inline mote_store *mote_world_store(const mote_world *world) {
  return &world->now.store[MOTE_TABLE_PARTICLES];
}

// Fluid rows come first, in the blocks of the materials, whose numbers those blocks have; then elastic ones,
// in a block for each elastic body.
static inline size_t mote_world_fluid_rows(const mote_world *world) {
  return mote_world_store(world)->count[MOTE_GROUP_FLUID];
}
static inline size_t mote_world_elastic_rows(const mote_world *world) {
  return mote_world_store(world)->count[MOTE_GROUP_ELASTIC];
}
// Lattice rows come last, in a block for each material of that model.
static inline size_t mote_world_lattice_rows(const mote_world *world) {
  return mote_world_store(world)->count[MOTE_GROUP_LATTICE];
}

// Whether particles have steps of their own.
static inline bool mote_world_stepped(const mote_world *world) {
  return world->def.solver.steps == MOTE_STEPS_INDIVIDUAL;
}

// Which groups of fields fluid particles have.
static inline uint32_t mote_world_groups(const mote_world *world) {
  const mote_solver_def *solver = &world->def.solver;
  bool followed = mote_pressure_follows_density(solver);
  uint32_t groups = 1u << MOTE_GROUP_FLUID | (followed ? 1u << MOTE_GROUP_FOLLOWED : 0u);
  if (world->def.heat) groups |= 1u << MOTE_GROUP_HEAT;
  if (!mote_world_stepped(world)) return groups;
  return groups | 1u << MOTE_GROUP_STEPPED | (followed ? 1u << MOTE_GROUP_STEPPED_LAYERS : 0u);
}

// And elastic ones.
static inline uint32_t mote_world_elastic_groups(const mote_world *world, bool renewed, bool breaks) {
  return 1u << MOTE_GROUP_ELASTIC | (renewed ? 1u << MOTE_GROUP_RENEWED : 0u) |
         (breaks ? 1u << MOTE_GROUP_BREAKING : 0u) | (world->def.heat ? 1u << MOTE_GROUP_HEAT : 0u);
}

static inline size_t mote_world_items(const mote_world *world, int kind) {
  return world->item[kind].count;
}

// The number of the k-th that is there.
static inline size_t mote_item_number(const mote_world *world, int kind, size_t k) {
  return world->item[kind].number == NULL ? k : world->item[kind].number[k];
}

static inline mote_material_item *mote_material_at(const mote_world *world, size_t k) {
  return (mote_material_item *)world->item[MOTE_ITEM_MATERIAL].data + k;
}
static inline mote_body_item *mote_body_at(const mote_world *world, size_t k) {
  return (mote_body_item *)world->item[MOTE_ITEM_BODY].data + k;
}
// The material of a body, by its index among all bodies, as it is now.
static inline const mote_material_def *mote_body_material(const mote_world *world, size_t body) {
  return &mote_material_at(world, mote_body_at(world, body)->material)->def;
}
static inline mote_rigid_item *mote_rigid_at(const mote_world *world, size_t k) {
  return (mote_rigid_item *)world->item[MOTE_KIND_RIGID].data + mote_item_number(world, MOTE_KIND_RIGID, k);
}
static inline mote_elastic_item *mote_elastic_at(const mote_world *world, size_t k) {
  return (mote_elastic_item *)world->item[MOTE_KIND_ELASTIC].data +
         mote_item_number(world, MOTE_KIND_ELASTIC, k);
}
static inline mote_lattice_item *mote_lattice_at(const mote_world *world, size_t k) {
  return (mote_lattice_item *)world->item[MOTE_KIND_LATTICE].data +
         mote_item_number(world, MOTE_KIND_LATTICE, k);
}
static inline mote_collider_item *mote_collider_at(const mote_world *world, size_t k) {
  return (mote_collider_item *)world->item[MOTE_ITEM_COLLIDER].data +
         mote_item_number(world, MOTE_ITEM_COLLIDER, k);
}
static inline mote_emitter_item *mote_emitter_at(const mote_world *world, size_t k) {
  return (mote_emitter_item *)world->item[MOTE_ITEM_EMITTER].data + k;
}
static inline mote_drain_item *mote_drain_at(const mote_world *world, size_t k) {
  return (mote_drain_item *)world->item[MOTE_ITEM_DRAIN].data + k;
}
static inline mote_force_item *mote_force_at(const mote_world *world, size_t k) {
  return (mote_force_item *)world->item[MOTE_ITEM_FORCE].data + k;
}
static inline mote_probe_item *mote_probe_at(const mote_world *world, size_t k) {
  return (mote_probe_item *)world->item[MOTE_ITEM_PROBE].data + k;
}
static inline mote_surface_item *mote_surface_at(const mote_world *world, size_t k) {
  return (mote_surface_item *)world->item[MOTE_ITEM_SURFACE].data + k;
}

// Whether lattices of the material can melt, and its melt freeze.
static inline bool mote_world_melts(const mote_world *world, const mote_material_def *def) {
  return world->def.heat && mote_material_properties(def)->is_lattice && def->heat.melting_point > 0.0;
}

// Whether anything of the definitions flows, or may.
static inline bool mote_world_flows(const mote_world *world) {
  bool any = mote_world_items(world, MOTE_ITEM_EMITTER) > 0;
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_BODY) && !any; ++k) {
    const mote_material_def *def = &mote_material_at(world, mote_body_at(world, k)->material)->def;
    any = mote_material_properties(def)->flows || mote_world_melts(world, def);
  }
  return any;
}

// Whether fluids are there, or may be: they feel samples of walls and bodies, which nothing else reads.
static inline bool mote_world_needs_samples(const mote_world *world) {
  return mote_world_fluid_rows(world) > 0 || mote_world_flows(world);
}

// The bounds of all that is or was there, where it ends. Axes along which nothing does are a spacing long.
void mote_world_extent(const mote_world *world, double low[3], double high[3]);
// What falls from end to end of all that is or was there gains by this acceleration: half of its squared
// speed, m^2/s^2.
double mote_world_fall(const mote_world *world, const double acceleration[3]);

#endif
