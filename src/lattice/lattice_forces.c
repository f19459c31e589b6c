// Fit, forces and energy of lattice particles: see lattice_data.h. A of WIC06 (4), its rotation by Newton's
// method from the last one, and the exact derivative of the energy. Theory: docs/theory/lattice.md, "Energy
// and forces"
#include <math.h>
#include <mote/numeric.h>

#include "base/lane.h"
#include "base/parallel.h"
#include "geom/triple.h"
#include "lattice/lattice_data.h"

#define ROWS_PER_CHUNK 64
#define STIFFNESS_SHARE 0.5  // alpha: of what A does not see; with 0.25 energy grows when sites change
#define POOR_STRAIN 0.5      // |S - 1| beyond which the fit is a rotation
#define NEWTON_MAX 12        // iterations of the rotation; 1 or 2 from the last one
#define NEWTON_LAST 1e-7     // rad: the next turn would be its square, below rounding

enum { SITES = MOTE_LATTICE_SITES };

// --- Rotations ---------------------------------------------------------------------------------------------

// R exp(w), by the quaternion 1, w/2.
static inline void rotate(double R[9], const double w[3]) {
  double u[3] = {0.5 * w[0], 0.5 * w[1], 0.5 * w[2]}, c = 2.0 / (1.0 + dot3(u, u)), T[9];
  T[0] = 1.0 - c * (u[1] * u[1] + u[2] * u[2]), T[1] = c * (u[0] * u[1] - u[2]),
  T[2] = c * (u[0] * u[2] + u[1]);
  T[3] = c * (u[0] * u[1] + u[2]), T[4] = 1.0 - c * (u[0] * u[0] + u[2] * u[2]),
  T[5] = c * (u[1] * u[2] - u[0]);
  T[6] = c * (u[0] * u[2] - u[1]), T[7] = c * (u[1] * u[2] + u[0]),
  T[8] = 1.0 - c * (u[0] * u[0] + u[1] * u[1]);
  multiply3(R, T, R);
}

// One step towards the rotation of A: with S = R^T A, (tr S - S) w is the axial vector of S - S^T. Returns
// the square of w; negative: S is too far from the identity for the method.
static inline double turn_towards(const double A[9], double R[9]) {
  double S[9], c[3], w[3];
  for (int k = 0; k < 3; ++k) {
    S[k] = R[0] * A[k] + R[3] * A[3 + k] + R[6] * A[6 + k];
    S[3 + k] = R[1] * A[k] + R[4] * A[3 + k] + R[7] * A[6 + k];
    S[6 + k] = R[2] * A[k] + R[5] * A[3 + k] + R[8] * A[6 + k];
  }
  double trace = S[0] + S[4] + S[8];
  double xx = S[4] + S[8], yy = S[0] + S[8], zz = S[0] + S[4];  // tr S - S, symmetric
  double xy = -0.5 * (S[1] + S[3]), xz = -0.5 * (S[2] + S[6]), yz = -0.5 * (S[5] + S[7]);
  set3(yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy, c);
  double det = xx * c[0] + xy * c[1] + xz * c[2], minor = xx * yy - xy * xy;
  if (!(xx > 0.0) || !(minor > 0.0) || !(det > 1e-6 * trace * trace * trace)) return -1.0;
  const double over = 1.0 / det, a[3] = {over * (S[7] - S[5]), over * (S[2] - S[6]), over * (S[3] - S[1])};
  double cross = xy * xz - xx * yz;
  w[0] = c[0] * a[0] + c[1] * a[1] + c[2] * a[2];
  w[1] = c[1] * a[0] + (xx * zz - xz * xz) * a[1] + cross * a[2];
  w[2] = c[2] * a[0] + cross * a[1] + minor * a[2];
  rotate(R, w);
  return dot3(w, w);
}

// The rotation of A from a near one. False: A is not near a rotation, and R is undefined.
static bool find_rotation(const double A[9], double R[9]) {
  for (int k = 0; k < NEWTON_MAX; ++k) {
    double turned2 = turn_towards(A, R);
    if (turned2 < 0.0) return false;
    if (turned2 < NEWTON_LAST * NEWTON_LAST) return true;
  }
  return false;
}

// The rotation that fits B = sum w r l^T best, for any rank; where B does not say, that nearest to the last.
static void fit_rotation(const double B[9], int dimensions, double R[9]) {
  if (dimensions == 2) {
    double c = B[0] + B[4], s = B[3] - B[1], length = sqrt(c * c + s * s);
    if (!(length > 0.0)) return;
    const double turned[9] = {c / length, -s / length, 0.0, s / length, c / length, 0.0, 0.0, 0.0, 1.0};
    for (int e = 0; e < 9; ++e) R[e] = turned[e];
    return;
  }
  double U[9], s[3], V[9];
  if (!mote_svd3(B, U, s, V) || !(s[0] > 0.0)) return;
  if (s[1] + s[2] > 1e-6 * s[0]) {
    for (int e = 0; e < 9; ++e)
      R[e] = U[e / 3 * 3] * V[e % 3 * 3] + U[e / 3 * 3 + 1] * V[e % 3 * 3 + 1] +
             U[e / 3 * 3 + 2] * V[e % 3 * 3 + 2];
    return;
  }
  // A line: turns the last image of its direction to the new one, the shorter way.
  const double to[3] = {U[0], U[3], U[6]}, along[3] = {V[0], V[3], V[6]};
  double from[3], axis[3], back[3];
  turn3(R, along, from);
  cross3(from, to, axis);
  double c = dot3(from, to), f = 2.0 / (1.0 + c);
  if (!(1.0 + c > 1e-6)) return;
  unturn3(R, axis, back);
  for (int k = 0; k < 3; ++k) back[k] *= f;  // 2 tan of half the angle
  rotate(R, back);
}

// --- The fit -----------------------------------------------------------------------------------------------

// B = sum w r l^T, and sum w r.
static void sum_pairs(const mote_lattice *m, size_t i, double B[9], double R[3]) {
  const mote_lattice_law *law = &mote_lattice_part_of(m, i)->law;
  const double *x = m->rows.position + 3 * i;
  const mote_lattice_pair *pair = m->pair + SITES * i;
  mote_pair a0 = {0}, a1 = {0}, b0 = {0}, b1 = {0}, c0 = {0}, c1 = {0};
  for (uint32_t k = 0; k < m->cell[i].pairs; ++k) {
    const double *y = m->rows.position + 3 * (size_t)pair[k].j, *l = law->site[pair[k].site],
                 w = pair[k].weight;
    mote_pair l0 = mote_pair_load(l), l1 = mote_pair_load(l + 2);
    double r0 = w * (y[0] - x[0]), r1 = w * (y[1] - x[1]), r2 = w * (y[2] - x[2]);
    a0 += r0 * l0, a1 += r0 * l1;
    b0 += r1 * l0, b1 += r1 * l1;
    c0 += r2 * l0, c1 += r2 * l1;
  }
  set3(a0[0], a0[1], a1[0], B), set3(b0[0], b0[1], b1[0], B + 3), set3(c0[0], c0[1], c1[0], B + 6);
  set3(a1[1], b1[1], c1[1], R);
}

// The elastic part: A, R and P, or false where A is too far from a rotation.
static bool fit_frame(const mote_lattice_law *law, mote_lattice_cell *cell, const double B[9], double share,
                      double A[9], double G[9], double *h) {
  multiply3(B, cell->inverse, A);
  if (law->dimensions == 2) A[2] = A[5] = A[6] = A[7] = 0.0, A[8] = 1.0;
  double R[9], off[9], P[9], trace = -3.0, off2 = 0.0;
  for (int e = 0; e < 9; ++e) R[e] = cell->rotation[e];
  if (law->dimensions == 2) {
    if (!(A[0] * A[4] > A[1] * A[3])) return false;
    fit_rotation(A, 2, R);
  } else if (!find_rotation(A, R)) {
    return false;
  }
  for (int e = 0; e < 9; ++e) off[e] = A[e] - R[e], trace += R[e] * A[e];
  for (int e = 0; e < 9; ++e) off2 += off[e] * off[e];
  cell->strain2 = off2;  // |R (S - 1)|
  if (!(off2 <= POOR_STRAIN * POOR_STRAIN)) return false;
  for (int e = 0; e < 9; ++e) cell->rotation[e] = R[e];
  double V = share * law->volume, mu = 2.0 * V * law->mu, pressure = V * law->lambda * trace;
  // WIC06 (8) has one k, that of a full lattice: surfaces are soft.
  *h = 2.0 * share * law->mu * law->volume *
       (law->restoring ? 1.0 / law->moment : STIFFNESS_SHARE * cell->inverse_moment);
  if (law->restoring) {  // with R that of B
    fit_rotation(B, law->dimensions, cell->rotation);
    for (int e = 0; e < 9; ++e) G[e] = -*h * cell->rotation[e];
    return true;
  }
  for (int e = 0; e < 9; ++e) P[e] = mu * off[e] + pressure * R[e];
  multiply3(P, cell->inverse, G);
  for (int e = 0; e < 9; ++e) G[e] -= *h * A[e];
  return true;
}

static void fit_one(const mote_lattice *m, size_t i) {
  const mote_lattice_law *law = &mote_lattice_part_of(m, i)->law;
  mote_lattice_cell *cell = m->cell + i;
  double B[9], G[9], h, sum[3], *A = m->rows.frame + 9 * i;
  double share = m->rows.fraction == NULL ? 1.0 : (double)m->rows.fraction[i];
  sum_pairs(m, i, B, sum);
  cell->poor = cell->thin || !fit_frame(law, cell, B, share, A, G, &h);
  if (cell->poor) {
    cell->strain2 = 0.0;
    h = 0.5 * share * 4.0 * law->mu * law->volume / law->moment;
    fit_rotation(B, law->dimensions, cell->rotation);
    for (int e = 0; e < 9; ++e) A[e] = cell->rotation[e], G[e] = -h * A[e];
  }
  turn3(G, cell->sum, cell->own);
  step3(cell->own, h, sum, cell->own);
  m->fit[i] = (mote_lattice_force){
      .column = {{G[0], G[3]}, {G[1], G[4]}, {G[2], G[5]}}, .row = {G[6], G[7], G[8]}, .h = h};
}

static void fit_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mote_lattice *m = data;
  for (size_t i = begin; i < end; ++i) fit_one(m, i);
}

void mote_lattice_fit(mote_lattice *lattice) {
  mote_parallel_for(lattice->threads, lattice->rows.count, ROWS_PER_CHUNK, fit_chunk, lattice);
}

// --- Forces ------------------------------------------------------------------------------------------------

typedef struct contact_law {
  double edge, stiffness;
} contact_law;

// Of two particles that hold not together, WIC06 (14): 1/2 k (D - r)^2 below D.
static contact_law contact_of(const mote_lattice *m, size_t i, size_t j) {
  const mote_lattice_law *a = &mote_lattice_part_of(m, i)->law, *b = &mote_lattice_part_of(m, j)->law;
  double share = 1.0;
  if (m->rows.fraction != NULL)
    share = (double)(m->rows.fraction[i] < m->rows.fraction[j] ? m->rows.fraction[i] : m->rows.fraction[j]);
  return (contact_law){0.5 * (a->edge + b->edge),
                       share * a->contact * b->contact / (a->contact + b->contact)};
}

static void add_contacts(const mote_lattice *m, size_t i, double force[3]) {
  const double *x = m->rows.position + 3 * i;
  const uint32_t *near = m->near + m->lists.first[i];
  for (uint32_t k = 0; k < m->near_number[i]; ++k) {
    size_t j = near[k];
    double r[3];
    sub3(x, m->rows.position + 3 * j, r);
    double length2 = dot3(r, r);
    if (!(length2 < m->edge * m->edge)) continue;
    contact_law law = contact_of(m, i, j);
    if (!(length2 < law.edge * law.edge) || !(length2 > 0.0)) continue;
    double length = sqrt(length2);
    step3(force, law.stiffness * (law.edge - length) / length, r, force);
  }
}

static void gather_one(const mote_lattice *m, size_t i, double force[3]) {
  const double *x = m->rows.position + 3 * i;
  const mote_lattice_pair *pair = m->pair + SITES * i;
  const mote_lattice_law *law = &mote_lattice_part_of(m, i)->law;
  mote_pair x01 = mote_pair_load(x), f01 = mote_pair_load(m->cell[i].own), f2 = {m->cell[i].own[2], 0.0};
  for (uint32_t k = 0; k < m->cell[i].pairs; ++k) {
    const mote_lattice_force *of = m->fit + pair[k].j;
    const double *y = m->rows.position + 3 * (size_t)pair[k].j, *l = law->site[pair[k].back],
                 w = pair[k].reverse;
    mote_pair near = l[0] * mote_pair_load(of->column[0]) + l[1] * mote_pair_load(of->column[1]);
    mote_pair far = l[2] * mote_pair_load(of->column[2]) + of->h * (x01 - mote_pair_load(y));
    mote_pair last = {l[2], x[2] - y[2]};
    f01 -= w * (near + far);
    f2 -= w * (mote_pair_load(of->row) * mote_pair_load(l) + mote_pair_load(of->row + 2) * last);
  }
  set3(f01[0], f01[1], f2[0] + f2[1], force);
  if (m->near_number[i] > 0) add_contacts(m, i, force);
}

typedef struct force_loop {
  const mote_lattice *m;
  double *force;
} force_loop;

static void force_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const force_loop *f = data;
  for (size_t i = begin; i < end; ++i) gather_one(f->m, i, f->force + 3 * i);
}

void mote_lattice_forces(const mote_lattice *lattice, double *force) {
  MOTE_ASSERT(force != NULL || lattice->rows.count == 0);
  force_loop f = {lattice, force};
  mote_parallel_for(lattice->threads, lattice->rows.count, ROWS_PER_CHUNK, force_chunk, &f);
}

// --- Energy ------------------------------------------------------------------------------------------------

static double contact_energy(const mote_lattice *m, size_t i) {
  double sum = 0.0;
  const uint32_t *near = m->near + m->lists.first[i];
  for (uint32_t k = 0; k < m->near_number[i]; ++k) {
    size_t j = near[k];
    contact_law law = contact_of(m, i, j);
    double deep = law.edge - distance3(m->rows.position + 3 * i, m->rows.position + 3 * j);
    if (deep > 0.0) sum += 0.25 * law.stiffness * deep * deep;  // each pair is seen from both ends
  }
  return sum;
}

static void energy_chunk(void *data, size_t begin, size_t end, double *sum) {
  const mote_lattice *m = data;
  for (size_t i = begin; i < end; ++i) {
    const mote_lattice_law *law = &mote_lattice_part_of(m, i)->law;
    const mote_lattice_cell *cell = m->cell + i;
    const double *A = law->restoring ? cell->rotation : m->rows.frame + 9 * i, *R = cell->rotation;
    double share = m->rows.fraction == NULL ? 1.0 : (double)m->rows.fraction[i], off2 = 0.0, trace = -3.0;
    for (int e = 0; e < 9; ++e) off2 += (A[e] - R[e]) * (A[e] - R[e]), trace += R[e] * A[e];
    sum[0] += share * law->volume * (law->mu * off2 + 0.5 * law->lambda * trace * trace) * !law->restoring;
    for (uint32_t k = 0; k < cell->pairs; ++k) {
      const mote_lattice_pair *pair = m->pair + SITES * i + k;
      double r[3], at[3];
      sub3(m->rows.position + 3 * (size_t)pair->j, m->rows.position + 3 * i, r);
      turn3(A, law->site[pair->site], at);
      sub3(r, at, r);
      sum[1] += 0.5 * m->fit[i].h * pair->weight * dot3(r, r);
    }
    sum[2] += contact_energy(m, i);
  }
}

mote_lattice_energies mote_lattice_stored(const mote_lattice *lattice) {
  double sum[3];
  mote_lattice loop = *lattice;
  mote_parallel_sum(lattice->threads, lattice->rows.count, 3, energy_chunk, &loop, sum);
  return (mote_lattice_energies){sum[0], sum[1], sum[2]};
}

double mote_lattice_strain(const mote_lattice *lattice, size_t *poor) {
  double most = 0.0;
  size_t count = 0;
  for (size_t i = 0; i < lattice->rows.count; ++i) {
    most = max2(most, lattice->cell[i].strain2);
    count += lattice->cell[i].poor;
  }
  if (poor != NULL) *poor = count;
  return sqrt(most);
}
