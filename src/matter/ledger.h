// The energy ledger of a step (docs/theory/energy.md): the change of the energy of all matter by each stage,
// and the work of gravity, moving walls and emitters from forces and velocities. Kept only after
// mote_world_keep_ledger, in a table of one row that is registered then.
//
// Energy is kinetic, of gravity, and stored in elastic bodies. The displacement of this step only
// (fluid/shift.h) is no part of kinetic energy, although velocities hold it from the pressure solve until the
// particles have moved: its change of potential energy is an entry of its own.
#ifndef MOTE_LEDGER_H
#define MOTE_LEDGER_H

#include "matter/world_data.h"
#include "state/snapshot_head.h"

// clang-format off
//  Entries first, in the order of a step, then work, then what is not shown. J since the ledger began.
#define MOTE_LEDGER_FIELDS(F) \
  F(MOTE_LEDGER_OUTSIDE,    "outside",    F64, 1, ALL, OPTIONAL, 0, "J", "sort",      "between steps: by the program, rounding where rows were sorted; what separates crowded particles before the first") \
  F(MOTE_LEDGER_DIVERGENCE, "divergence", F64, 1, ALL, OPTIONAL, 0, "J", "divergence", "divergence-free solve") \
  F(MOTE_LEDGER_GRAVITY,    "gravity",    F64, 1, ALL, OPTIONAL, 0, "J", "pressure",   "velocities by gravity, of fluids and rigid bodies") \
  F(MOTE_LEDGER_VISCOSITY,  "viscosity",  F64, 1, ALL, OPTIONAL, 0, "J", "pressure",   "viscosity, artificial viscosity, friction") \
  F(MOTE_LEDGER_TENSION,    "tension",    F64, 1, ALL, OPTIONAL, 0, "J", "pressure",   "surface tension") \
  F(MOTE_LEDGER_FORCE_FIELDS, "force_fields",  F64, 1, ALL, OPTIONAL, 0, "J", "pressure",   "force fields on fluids") \
  F(MOTE_LEDGER_XSPH,       "xsph",       F64, 1, ALL, OPTIONAL, 0, "J", "pressure",   "XSPH") \
  F(MOTE_LEDGER_PRESSURE,   "pressure",   F64, 1, ALL, OPTIONAL, 0, "J", "pressure",   "velocities by the pressure solve") \
  F(MOTE_LEDGER_NOZZLES,    "nozzles",    F64, 1, ALL, OPTIONAL, 0, "J", "nozzles",    "velocities set inside of nozzles") \
  F(MOTE_LEDGER_DEFORMING,     "solids",     F64, 1, ALL, OPTIONAL, 0, "J", "elastic",     "motion of elastic bodies") \
  F(MOTE_LEDGER_BODIES,     "bodies",     F64, 1, ALL, OPTIONAL, 0, "J", "bodies",     "motion and contacts of rigid bodies") \
  F(MOTE_LEDGER_SHIFT,      "shift",      F64, 1, ALL, OPTIONAL, 0, "J", "move",       "displacement that is not part of the velocity") \
  F(MOTE_LEDGER_MOVE,       "move",       F64, 1, ALL, OPTIONAL, 0, "J", "move",       "displacement by velocity") \
  F(MOTE_LEDGER_COLLIDE,    "collide",    F64, 1, ALL, OPTIONAL, 0, "J", "collide",    "hard contact with walls, colliders and bodies") \
  F(MOTE_LEDGER_WRAP,       "wrap",       F64, 1, ALL, OPTIONAL, 0, "J", "collide",    "passage through periodic sides") \
  F(MOTE_LEDGER_EMIT,       "emit",       F64, 1, ALL, OPTIONAL, 0, "J", "emit",       "new particles") \
  F(MOTE_LEDGER_LEAVE,      "leave",      F64, 1, ALL, OPTIONAL, 0, "J", "leave",      "particles removed") \
  F(MOTE_LEDGER_WORK_GRAVITY,  "work_gravity",  F64, 1, ALL, OPTIONAL, 0, "J", "move", "weight times velocity") \
  F(MOTE_LEDGER_WORK_FIELDS,   "work_fields",   F64, 1, ALL, OPTIONAL, 0, "J", "move", "force fields on fluids times velocity") \
  F(MOTE_LEDGER_WORK_SHIFT,    "work_shift",    F64, 1, ALL, OPTIONAL, 0, "J", "move", "force fields on fluids times the displacement that is not part of the velocity") \
  F(MOTE_LEDGER_WORK_WALLS,    "work_walls",    F64, 1, ALL, OPTIONAL, 0, "J", "divergence, pressure", "pressure forces of moving walls times their velocities") \
  F(MOTE_LEDGER_WORK_LOADS,    "work_loads",    F64, 1, ALL, OPTIONAL, 0, "J", "elastic", "loads on elastic bodies times the way of their particles") \
  F(MOTE_LEDGER_WORK_EMITTERS, "work_emitters", F64, 1, ALL, OPTIONAL, 0, "J", "emit", "energy of each new particle") \
  F(MOTE_LEDGER_LAST,       "last",       F64, 1, ALL, OPTIONAL, (double)NAN, "J", "all", "energy after the last entry; NaN: no step yet") \
  F(MOTE_LEDGER_LATTICES,   "lattices",   F64, 1, ALL, OPTIONAL, 0, "J", "lattice", "stored in lattices when the last step ended")
// clang-format on

enum { MOTE_LEDGER_FIELDS(MOTE_FIELD_INDEX) MOTE_LEDGER_FIELD_COUNT };
enum { MOTE_LEDGER_NONE = -1, MOTE_LEDGER_CHANGES = MOTE_LEDGER_WORK_GRAVITY };

extern const mote_table mote_ledger_table;

// The value of a field; null: no ledger is kept.
static inline double *mote_ledger_value(const mote_world *world, int field) {
  if (world->ledger == 0 || world->now.store[world->ledger].count[0] == 0) return NULL;
  return mote_store_f64(&world->now.store[world->ledger], field);
}

// The following have no effect if no ledger is kept, and outside of steps.

// A step begins, rows are sorted: changes since the last step are external.
void mote_ledger_begin(mote_world *world);

// Energy now less that after the last entry.
void mote_ledger_book(mote_world *world, int entry);

// Accelerations so far are those of gravity and viscosity, and with `tension` of surface tension.
mote_result mote_ledger_keep_forces(mote_world *world, bool tension, mote_error *error);

// The accelerations have acted on the fluid for dt seconds: books viscosity, tension and force fields, each
// with the mean velocity of before and after, and the rest as gravity.
void mote_ledger_book_forces(mote_world *world);

// Fluid particles have moved and velocities still hold the shift: books it, and adds the work of gravity.
void mote_ledger_book_shift(mote_world *world);

// The rows first .. first + count - 1 are new.
void mote_ledger_add_emitted(mote_world *world, size_t first, size_t count);

// Snapshots: the ledger is an output, which may change where a run is resumed. The table is read where the
// head lists it; a ledger that the snapshot lacks starts at zero.
mote_result mote_ledger_expect(const mote_snapshot_head *head, mote_state *state, mote_error *error);
bool mote_ledger_possible(const mote_state *state);
mote_result mote_ledger_match(const mote_world *world, mote_state *state, mote_error *error);

#endif
