// Lattice bodies, without stored connectivity (WIC06): all lattice rows of a world during one step. Each
// particle assigns its neighbours to the sites of a lattice that is fitted to them; the energy of the fit
// gives the forces. Loops gather: a particle writes only its own values. Theory: docs/theory/lattice.md
#ifndef MOTE_LATTICE_DATA_H
#define MOTE_LATTICE_DATA_H

#include <mote/search.h>

#include "base/arena.h"
#include "elastic/elastic_external.h"
#include "lattice/tuning.inc"
#include "material/lattice_law.h"

// Rows of one material, contiguous.
typedef struct mote_lattice_part {
  size_t first, count;
  mote_lattice_law law;
  double damping;       // 1/s
  float *docking;       // rates of the sites of its rows; null: particles join at once and stay
  double docking_rate;  // 1/s: the largest, from which rates begin
  double docking_gain;  // 1/s^2
  double strength;      // Pa
} mote_lattice_part;

// The state that a step reads and writes.
typedef struct mote_lattice_rows {
  size_t count;
  const mote_lattice_part *part;
  size_t parts;
  const uint64_t *id;
  double *position, *velocity;
  const double *mass;
  const uint32_t *object;
  const float *fraction;  // null: all solid
  const float *reach;     // distance of contact over D/2; null: 1
  const uint8_t *held;    // null: none
  double *basis;          // A, or the rotation where the neighbourhood is poor
  uint32_t *neighbour;    // 1 + id at each site
} mote_lattice_rows;

// A particle at a site, seen from the centre i.
typedef struct mote_lattice_pair {
  uint32_t j;
  uint8_t site, back;      // of j in the lattice of i, and of i in that of j
  double weight, reverse;  // of the two
} mote_lattice_pair;

// Force on j from the fit of i: -weight (G l + h r), and on i the opposite.
typedef struct mote_lattice_force {
  double column[3][2];  // of the first two rows of G
  double row[3], h;     // the last row
} mote_lattice_force;

typedef struct mote_lattice_cell {
  uint32_t pairs;         // how many of its sites are taken
  bool thin;              // whether they are too few or too flat for A
  bool poor;              // that, or |S - 1| is too large: the fit is a rotation
  double inverse[9];      // of K = sum w l l^T
  double inverse_moment;  // 1/q, q = tr K / dimensions
  double sum[3];          // of w l
  double rotation[9];     // R, where the next polar decomposition begins
  double own[3];          // force of its own fit on itself
  double strain2;         // |S - 1|^2, Frobenius norm; of poor ones 0
} mote_lattice_cell;

// Rigid motion of a neighbourhood, with the weights w m.
typedef struct mote_lattice_motion {
  double mean[3], centre[3], spin[3];  // m/s, m, 1/s
  double inverse_inertia[9];           // 1/(kg m^2)
  bool spins;                          // false: its particles are on a line
} mote_lattice_motion;

// Buffers that are kept between steps.
typedef struct mote_lattice_buffers {
  mote_grid *grid;  // null: none yet
  double radius;    // m, of its search
  uint32_t *near;
  size_t near_capacity;
} mote_lattice_buffers;
void mote_lattice_buffers_free(mote_lattice_buffers *buffers, const mote_env *env);

typedef struct mote_lattice {
  mote_lattice_rows rows;
  int threads;
  uint64_t seed, draw;  // of random numbers; draw: grows with every assignment
  mote_arena *scratch;
  mote_lattice_buffers *buffers;
  double edge;  // m: the largest D
  double candidate_margin,
      contact_margin;   // m: candidates, and pairs in contact range, are found so much farther away
  double slack;         // m by which candidates reach beyond contact range
  uint32_t *object_of;  // place of each row's object among all
  size_t objects;
  double *object_sum;  // two of each object, for sums over their rows
  mote_lists lists;    // candidates
  uint32_t *slot;      // rows at the sites of each row; UINT32_MAX: none
  uint32_t *proposal;
  uint8_t *same;            // whether the last proposal was what the slots have
  bool paired;              // whether pairs were made since the step began
  mote_lattice_pair *pair;  // MOTE_LATTICE_SITES for each row, the first cell.pairs of them used
  mote_lattice_cell *cell;
  mote_lattice_force *fit;
  // rows of the same object in contact range that are at no site: near_number[i] of them, from lists.first[i]
  // on; during the assignment of sites: candidates for a site
  uint32_t *near;
  uint32_t *near_number;
  double *damp;                 // of each row: change of velocity
  mote_lattice_motion *motion;  // of each row, while it is damped
  uint8_t *part_of;
  size_t changes;  // of sites, since the step began
} mote_lattice;

static inline const mote_lattice_part *mote_lattice_part_of(const mote_lattice *lattice, size_t i) {
  return lattice->rows.part + lattice->part_of[i];
}

static inline double mote_lattice_grown(double fraction) {
  double share = fraction < MOTE_LATTICE_LEAST ? fraction / MOTE_LATTICE_LEAST : 1.0;
  return MOTE_LATTICE_FRESH_RADIUS + (1.0 - MOTE_LATTICE_FRESH_RADIUS) * share;
}

// --- lattice_sites.c: assignment of neighbours to sites ----------------------------------------------------

// Allocates the arrays of a step in scratch memory; finds candidates and the rows of the neighbours' ids.
// rows, threads, seed, draw, scratch and buffers must be set.
mote_result mote_lattice_begin(mote_lattice *lattice, mote_error *error);
// Candidates at the current positions.
mote_result mote_lattice_find(mote_lattice *lattice, mote_error *error);
// Assigns sites at the current positions, with the last fits. `elapsed`: seconds since the last assignment,
// during which free sites accept particles at their docking rates; infinite: particles without neighbours
// join.
void mote_lattice_assign(mote_lattice *lattice, double elapsed);
// Pairs in contact range at the current positions; after the assignment of sites.
void mote_lattice_near(mote_lattice *lattice);
// Writes fits and neighbours back to the rows.
void mote_lattice_end(mote_lattice *lattice);

// --- lattice_fit.c -----------------------------------------------------------------------------------------

// The rotation R of each row's fit A, and |S - 1|^2.
mote_result mote_lattice_rotations(const mote_lattice *lattice, mote_error *error);
// Moments K, q and sum w l of a row whose pairs were found.
void mote_lattice_measure(const mote_lattice *lattice, size_t i);
// A, R and the forces of each fit.
void mote_lattice_fit(mote_lattice *lattice);

// --- lattice_forces.c --------------------------------------------------------------------------------------

// Forces after a fit, N, three each.
void mote_lattice_forces(const mote_lattice *lattice, double *force);

typedef struct mote_lattice_energies {
  double strain, restoring, contact;  // J: V psi, the second term or that of poor ones, contact
} mote_lattice_energies;
// Energies after a fit, summed over all rows. `each`: energy of each particle, J; may be null.
mote_lattice_energies mote_lattice_stored(const mote_lattice *lattice, double *each);
// Largest |S - 1|; how many neighbourhoods are poor.
double mote_lattice_strain(const mote_lattice *lattice, size_t *poor);

// --- lattice_damp.c: WIC06 (10)-(13) -----------------------------------------------------------------------

// Damps velocities for dt seconds.
void mote_lattice_damp(mote_lattice *lattice, double dt);

// The largest speed of a particle relative to the rigid motion of its neighbourhood, over the speed of sound
// of its material, and its row; after damping.
double mote_lattice_shock(const mote_lattice *lattice, size_t *row);

// The rigid motion of the neighbourhood of i; false where its spin is not defined.
bool mote_lattice_motion_at(const mote_lattice *lattice, size_t i, mote_lattice_motion *out);

// --- lattice_steps.c ---------------------------------------------------------------------------------------

// Number of stable substeps for dt seconds; `factor`: of the limit.
double mote_lattice_steps(const mote_lattice *lattice, double dt, double factor);
// `steps` explicit substeps over dt seconds; sites, contact pairs and a fit of the current positions must be
// there. acceleration: of each row, or null. `external`: may be null.
mote_result mote_lattice_advance(mote_lattice *lattice, const mote_elastic_external *external,
                                 const double *acceleration, double dt, double steps, mote_error *error);

#endif
