// Lattice bodies without a world: solids without stored connectivity (WIC06), whose particles are bonded to
// the neighbours at the sites of a fitted lattice. In a world they have `model: lattice`. Theory:
// docs/theory/lattice.md
#ifndef MOTE_LATTICE_H
#define MOTE_LATTICE_H

#include <mote/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mote_lattice_solver_def {
  int dimensions;  // 2 (plane strain, a slab 1 m thick) or 3
  double spacing;  // m: a particle has the volume spacing^dimensions
  double density;  // kg/m^3
  double young, poisson;
  bool restoring;       // WIC06 (8) in place of the corotated law
  double damping;       // 1/s: eta/m of WIC06 (13); NaN: 0.1 of the speed of sound over D
  double docking_rate;  // 1/s, WIC06 4.2; infinite: at once
  double docking_gain;  // 1/s^2
  double strength;      // Pa; infinite: nothing comes apart by tension
  uint64_t seed;        // of docking
  size_t count;
  const double *position;  // three each
  const uint32_t *object;  // only particles of the same number act on each other; null: all
  const double *rotation;  // of the lattice, row-major, nine for each particle; null: none is turned
  bool apart;              // no particle is joined with another at the beginning
} mote_lattice_solver_def;

// 3D, nothing breaks; spacing, density and young must be set.
MOTE_API mote_lattice_solver_def mote_lattice_solver_def_default(void);

typedef struct mote_lattice_solver mote_lattice_solver;

MOTE_API mote_result mote_lattice_solver_create(const mote_lattice_solver_def *def, const mote_env *env,
                                                mote_lattice_solver **out, mote_error *error);
MOTE_API void mote_lattice_solver_destroy(mote_lattice_solver *solver);

// The speed of sound, m/s; the longest stable step of an undeformed lattice, s.
MOTE_API double mote_lattice_solver_sound(const mote_lattice_solver *solver);
MOTE_API double mote_lattice_solver_limit(const mote_lattice_solver *solver);

// Positions, velocities and held particles (not 0: they keep their velocity), which the caller may change;
// masses.
MOTE_API double *mote_lattice_solver_position(mote_lattice_solver *solver);
MOTE_API double *mote_lattice_solver_velocity(mote_lattice_solver *solver);
MOTE_API uint8_t *mote_lattice_solver_held(mote_lattice_solver *solver);
MOTE_API const double *mote_lattice_solver_mass(const mote_lattice_solver *solver);

// Assigns the sites of all particles at their current positions, `elapsed` seconds after the last assignment.
// *changes: number of sites that were occupied or freed; may be null.
MOTE_API mote_result mote_lattice_solver_assign(mote_lattice_solver *solver, double elapsed, size_t *changes,
                                                mote_error *error);
// Forces, N, three each.
MOTE_API void mote_lattice_solver_forces(mote_lattice_solver *solver, double *force);
// Damps velocity that is not locally rigid, for dt seconds.
MOTE_API void mote_lattice_solver_damp(mote_lattice_solver *solver, double dt);
// dt seconds in stable substeps. acceleration: of all particles, m/s^2.
MOTE_API mote_result mote_lattice_solver_advance(mote_lattice_solver *solver, const double acceleration[3],
                                                 double dt, mote_error *error);

typedef struct mote_lattice_state {
  double elastic_energy, contact_energy;  // J
  double strain;                          // largest |S - 1|
  size_t pairs;                           // bonded pairs, each counted once
  size_t poor;                            // particles whose neighbourhood is
  size_t changes;                         // of sites, since the solver was made
} mote_lattice_state;
MOTE_API mote_lattice_state mote_lattice_solver_state(mote_lattice_solver *solver);

#ifdef __cplusplus
}
#endif
#endif
