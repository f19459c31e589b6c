// Fit, forces and energy of lattice particles: see lattice_data.h. A of WIC06 (4), its rotation by Newton's
// method from the last one, and the exact derivative of the energy. Theory: docs/theory/lattice.md, "Energy
// and forces"
#include <math.h>
#include <mote/numeric.h>

#include "base/parallel.h"
#include "geom/triple.h"
#include "lattice/lattice_data.h"

#define ROWS_PER_CHUNK 64
#define STIFFNESS_SHARE 0.5  // alpha: of what A does not see; not scanned with this code
#define POOR_STRAIN 0.5      // |S - 1| beyond which the fit is a rotation
#define NEWTON_MAX 12        // iterations of the rotation; 1 or 2 from the last one
#define NEWTON_LAST 1e-8     // rad

enum { SITES = MOTE_LATTICE_SITES };

// --- Rotations ---------------------------------------------------------------------------------------------

// R exp(w), by the quaternion 1, w/2.
static void rotate(double R[9], const double w[3]) {
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
// the length of w; negative: S is too far from the identity for the method.
static double turn_towards(const double A[9], double R[9]) {
  double S[9], H[9], c[9], a[3], w[3];
  for (int e = 0; e < 9; ++e)
    S[e] = R[e / 3] * A[e % 3] + R[3 + e / 3] * A[3 + e % 3] + R[6 + e / 3] * A[6 + e % 3];
  double trace = S[0] + S[4] + S[8];
  for (int e = 0; e < 9; ++e) H[e] = (e % 4 == 0 ? trace : 0.0) - 0.5 * (S[e] + S[e % 3 * 3 + e / 3]);
  cross3(H + 3, H + 6, c), cross3(H + 6, H, c + 3), cross3(H, H + 3, c + 6);
  double det = dot3(H, c);
  if (!(H[0] > 0.0) || !(c[8] > 0.0) || !(det > 1e-6 * trace * trace * trace)) return -1.0;
  set3(S[7] - S[5], S[2] - S[6], S[3] - S[1], a);
  turn3(c, a, w);  // c is symmetric as H is
  for (int k = 0; k < 3; ++k) w[k] /= det;
  rotate(R, w);
  return length3(w);
}

// The rotation of A from a near one. False: A is not near a rotation, and R is undefined.
static bool find_rotation(const double A[9], double R[9]) {
  for (int k = 0; k < NEWTON_MAX; ++k) {
    double turned = turn_towards(A, R);
    if (turned < 0.0) return false;
    if (turned < NEWTON_LAST) return true;  // it converges quadratically: the next turn is below rounding
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
  double b0 = 0, b1 = 0, b2 = 0, b3 = 0, b4 = 0, b5 = 0, b6 = 0, b7 = 0, b8 = 0, s0 = 0, s1 = 0, s2 = 0;
  for (uint32_t k = 0; k < m->cell[i].pairs; ++k) {
    const double *y = m->rows.position + 3 * (size_t)pair[k].j, *l = law->site[pair[k].site],
                 w = pair[k].weight;
    double r0 = w * (y[0] - x[0]), r1 = w * (y[1] - x[1]), r2 = w * (y[2] - x[2]);
    b0 += r0 * l[0], b1 += r0 * l[1], b2 += r0 * l[2];
    b3 += r1 * l[0], b4 += r1 * l[1], b5 += r1 * l[2];
    b6 += r2 * l[0], b7 += r2 * l[1], b8 += r2 * l[2];
    s0 += r0, s1 += r1, s2 += r2;
  }
  B[0] = b0, B[1] = b1, B[2] = b2, B[3] = b3, B[4] = b4, B[5] = b5, B[6] = b6, B[7] = b7, B[8] = b8;
  set3(s0, s1, s2, R);
}

static double norm9(const double M[9]) {
  double sum = 0.0;
  for (int e = 0; e < 9; ++e) sum += M[e] * M[e];
  return sqrt(sum);
}

// The elastic part: A, R and P, or false where A is too far from a rotation.
static bool fit_frame(const mote_lattice_law *law, mote_lattice_cell *cell, const double B[9], double share,
                      double A[9], mote_lattice_force *out) {
  multiply3(B, cell->inverse, A);
  if (law->dimensions == 2) A[2] = A[5] = A[6] = A[7] = 0.0, A[8] = 1.0;
  double R[9], off[9], P[9], trace = -3.0;
  for (int e = 0; e < 9; ++e) R[e] = cell->rotation[e];
  if (law->dimensions == 2) {
    if (!(A[0] * A[4] > A[1] * A[3])) return false;
    fit_rotation(A, 2, R);
  } else if (!find_rotation(A, R)) {
    return false;
  }
  for (int e = 0; e < 9; ++e) off[e] = A[e] - R[e], trace += R[e] * A[e];
  cell->strain = norm9(off);  // |R (S - 1)|
  if (!(cell->strain <= POOR_STRAIN)) return false;
  for (int e = 0; e < 9; ++e) cell->rotation[e] = R[e];
  // WIC06 (8) has one k, that of a full lattice: surfaces are soft.
  double k = 4.0 * law->mu * law->volume / (law->restoring ? law->moment : cell->moment);
  double V = share * law->volume;
  out->h = 0.5 * share * (law->restoring ? 1.0 : STIFFNESS_SHARE) * k;
  if (law->restoring) {  // with R that of B
    fit_rotation(B, law->dimensions, cell->rotation);
    for (int e = 0; e < 9; ++e) out->G[e] = -out->h * cell->rotation[e];
    return true;
  }
  for (int e = 0; e < 9; ++e) P[e] = V * (2.0 * law->mu * off[e] + law->lambda * trace * R[e]);
  multiply3(P, cell->inverse, out->G);
  for (int e = 0; e < 9; ++e) out->G[e] -= out->h * A[e];
  return true;
}

static void fit_one(const mote_lattice *m, size_t i) {
  const mote_lattice_law *law = &mote_lattice_part_of(m, i)->law;
  mote_lattice_cell *cell = m->cell + i;
  mote_lattice_force *out = m->fit + i;
  double B[9], sum[3], *A = m->rows.frame + 9 * i;
  double share = m->rows.fraction == NULL ? 1.0 : (double)m->rows.fraction[i];
  sum_pairs(m, i, B, sum);
  cell->poor = cell->thin || !fit_frame(law, cell, B, share, A, out);
  if (cell->poor) {
    cell->strain = 0.0;
    out->h = 0.5 * share * 4.0 * law->mu * law->volume / law->moment;
    fit_rotation(B, law->dimensions, cell->rotation);
    for (int e = 0; e < 9; ++e) A[e] = cell->rotation[e], out->G[e] = -out->h * A[e];
  }
  turn3(out->G, cell->sum, cell->own);
  step3(cell->own, out->h, sum, cell->own);
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
  for (size_t k = m->near_first[i]; k < m->near_first[i + 1]; ++k) {
    size_t j = m->near[k];
    double r[3];
    sub3(x, m->rows.position + 3 * j, r);
    contact_law law = contact_of(m, i, j);
    double length2 = dot3(r, r);
    if (!(length2 < law.edge * law.edge) || !(length2 > 0.0)) continue;
    double length = sqrt(length2);
    step3(force, law.stiffness * (law.edge - length) / length, r, force);
  }
}

static void gather_one(const mote_lattice *m, size_t i, double force[3]) {
  const double *x = m->rows.position + 3 * i;
  const mote_lattice_pair *pair = m->pair + SITES * i;
  const mote_lattice_law *law = &mote_lattice_part_of(m, i)->law;
  double f0 = m->cell[i].own[0], f1 = m->cell[i].own[1], f2 = m->cell[i].own[2];
  for (uint32_t k = 0; k < m->cell[i].pairs; ++k) {
    const mote_lattice_force *of = m->fit + pair[k].j;
    const double *y = m->rows.position + 3 * (size_t)pair[k].j, *l = law->site[pair[k].back],
                 w = pair[k].reverse;
    f0 -= w * (of->G[0] * l[0] + of->G[1] * l[1] + of->G[2] * l[2] + of->h * (x[0] - y[0]));
    f1 -= w * (of->G[3] * l[0] + of->G[4] * l[1] + of->G[5] * l[2] + of->h * (x[1] - y[1]));
    f2 -= w * (of->G[6] * l[0] + of->G[7] * l[1] + of->G[8] * l[2] + of->h * (x[2] - y[2]));
  }
  set3(f0, f1, f2, force);
  add_contacts(m, i, force);
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
  for (size_t k = m->near_first[i]; k < m->near_first[i + 1]; ++k) {
    size_t j = m->near[k];
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
    most = max2(most, lattice->cell[i].strain);
    count += lattice->cell[i].poor;
  }
  if (poor != NULL) *poor = count;
  return most;
}
