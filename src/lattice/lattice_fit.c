// Fit of lattice particles: see lattice_data.h. A of WIC06 (4), its rotation by Newton's method from the
// previous one, and the forces of the fit; two rows at once, one per lane. Theory: docs/theory/lattice.md,
// "Energy and forces"
#include <math.h>
#include <mote/numeric.h>

#include "base/lane.h"
#include "base/parallel.h"
#include "geom/triple.h"
#include "lattice/lattice_data.h"

#define ROWS_PER_CHUNK 64
#define NEWTON_MAX 12  // iterations of the rotation; 1 or 2 from the last one

enum { SITES = MOTE_LATTICE_SITES, LANES = 2 };

// --- Matrices of two rows ----------------------------------------------------------------------------------

// out = a b, which may be a.
static inline void multiply(const mote_pair a[9], const mote_pair b[9], mote_pair out[9]) {
  for (int r = 0; r < 9; r += 3) {
    mote_pair x = a[r], y = a[r + 1], z = a[r + 2];
    out[r] = x * b[0] + y * b[3] + z * b[6];
    out[r + 1] = x * b[1] + y * b[4] + z * b[7];
    out[r + 2] = x * b[2] + y * b[5] + z * b[8];
  }
}

// out = a^T b.
static inline void multiply_transposed(const mote_pair a[9], const mote_pair b[9], mote_pair out[9]) {
  for (int r = 0; r < 3; ++r) {
    out[3 * r] = a[r] * b[0] + a[3 + r] * b[3] + a[6 + r] * b[6];
    out[3 * r + 1] = a[r] * b[1] + a[3 + r] * b[4] + a[6 + r] * b[7];
    out[3 * r + 2] = a[r] * b[2] + a[3 + r] * b[5] + a[6 + r] * b[8];
  }
}

static inline void interleave(const double first[9], const double second[9], mote_pair out[9]) {
  for (int e = 0; e < 9; ++e) out[e] = (mote_pair){first[e], second[e]};
}

static inline void take_lane(const mote_pair a[9], int lane, double out[9]) {
  for (int e = 0; e < 9; ++e) out[e] = a[e][lane];
}

// --- Rotations ---------------------------------------------------------------------------------------------

// The matrix of exp(w), by the quaternion 1, w/2.
static inline void turn_matrix(const mote_pair w[3], mote_pair T[9]) {
  mote_pair x = 0.5 * w[0], y = 0.5 * w[1], z = 0.5 * w[2], c = 2.0 / (1.0 + (x * x + y * y + z * z));
  T[0] = 1.0 - c * (y * y + z * z), T[1] = c * (x * y - z), T[2] = c * (x * z + y);
  T[3] = c * (x * y + z), T[4] = 1.0 - c * (x * x + z * z), T[5] = c * (y * z - x);
  T[6] = c * (x * z - y), T[7] = c * (y * z + x), T[8] = 1.0 - c * (x * x + y * y);
}

// The turn w towards the rotation of A: with S = R^T A, (tr S - S) w is the axial vector of S - S^T. False in
// lanes where S is too far from the identity for the method, and w is undefined.
static inline mote_pair_mask find_turn(const mote_pair A[9], const mote_pair R[9], mote_pair w[3]) {
  mote_pair S[9];
  multiply_transposed(R, A, S);
  mote_pair trace = S[0] + S[4] + S[8];
  mote_pair xx = S[4] + S[8], yy = S[0] + S[8], zz = S[0] + S[4];  // tr S - S, symmetric
  mote_pair xy = -0.5 * (S[1] + S[3]), xz = -0.5 * (S[2] + S[6]), yz = -0.5 * (S[5] + S[7]);
  mote_pair c0 = yy * zz - yz * yz, c1 = xz * yz - xy * zz, c2 = xy * yz - xz * yy;
  mote_pair det = xx * c0 + xy * c1 + xz * c2, minor = xx * yy - xy * xy, cross = xy * xz - xx * yz;
  mote_pair over = 1.0 / det;
  mote_pair a = over * (S[7] - S[5]), b = over * (S[2] - S[6]), c = over * (S[3] - S[1]);
  w[0] = c0 * a + c1 * b + c2 * c;
  w[1] = c1 * a + (xx * zz - xz * xz) * b + cross * c;
  w[2] = c2 * a + cross * b + minor * c;
  return (mote_pair_mask)(xx > 0.0) & (mote_pair_mask)(minor > 0.0) &
         (mote_pair_mask)(det > 1e-6 * trace * trace * trace);
}

// The rotations of A, from a nearby initial guess. False in lanes where A is not near a rotation: R is then
// undefined.
static mote_pair_mask find_rotations(const mote_pair A[9], mote_pair R[9]) {
  mote_pair_mask active = {-1, -1}, good = {0, 0};
  for (int k = 0; k < NEWTON_MAX && (active[0] | active[1]) != 0; ++k) {
    mote_pair w[3], T[9], turned[9];
    active &= find_turn(A, R, w);
    turn_matrix(w, T);
    multiply(R, T, turned);
    for (int e = 0; e < 9; ++e) R[e] = mote_pair_choose(active, turned[e], R[e]);
    mote_pair_mask done =
        (mote_pair_mask)(w[0] * w[0] + w[1] * w[1] + w[2] * w[2] < NEWTON_LAST * NEWTON_LAST);
    good |= active & done;
    active &= ~done;
  }
  return good;
}

// In the plane in closed form.
static void start_flat(const mote_pair A[9], mote_pair R[9]) {
  mote_pair c = A[0] + A[4], s = A[3] - A[1], square = c * c + s * s;
  mote_pair over = 1.0 / (mote_pair){sqrt(square[0]), sqrt(square[1])};
  R[0] = R[4] = c * over, R[3] = s * over, R[1] = -R[3];
}

// The best-fit rotation of B = sum w r l^T, for any rank; where B leaves it undetermined, the one nearest to
// the previous rotation.
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
  // A line: rotates the previous image of its direction to the new one, by the smaller angle.
  const double to[3] = {U[0], U[3], U[6]}, along[3] = {V[0], V[3], V[6]};
  double from[3], axis[3], back[3];
  turn3(R, along, from);
  cross3(from, to, axis);
  double c = dot3(from, to), f = 2.0 / (1.0 + c);
  if (!(1.0 + c > 1e-6)) return;
  unturn3(R, axis, back);
  for (int k = 0; k < 3; ++k) back[k] *= f;  // 2 tan of half the angle
  mote_pair w[3], T[9];
  double turn[9];
  for (int k = 0; k < 3; ++k) w[k] = (mote_pair){back[k], back[k]};
  turn_matrix(w, T);
  take_lane(T, 0, turn);
  multiply3(R, turn, R);
}

// Orthogonalised rows of A: an initial guess.
static void orthogonalise(const double A[9], double R[9]) {
  double along = length3(A), b[3];
  for (int a = 0; a < 3; ++a) R[a] = A[a] / along;
  step3(A + 3, -dot3(A + 3, R), R, b);
  double across = length3(b);
  for (int a = 0; a < 3; ++a) R[3 + a] = b[a] / across;
  cross3(R, R + 3, R + 6);
}

static void rotation_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mote_lattice *m = data;
  for (size_t i = begin; i < end; i += LANES) {
    const size_t row[LANES] = {i, i + 1 < end ? i + 1 : i};
    double start[LANES][9], stretch[9];
    mote_pair A[9], R[9];
    for (int lane = 0; lane < LANES; ++lane) orthogonalise(m->rows.basis + 9 * row[lane], start[lane]);
    interleave(m->rows.basis + 9 * row[0], m->rows.basis + 9 * row[1], A);
    interleave(start[0], start[1], R);
    mote_pair_mask good = find_rotations(A, R);
    for (int lane = 0; lane < LANES; ++lane) {
      mote_lattice_cell *cell = m->cell + row[lane];
      const double *basis = m->rows.basis + 9 * row[lane];
      take_lane(R, lane, cell->rotation);
      bool found = good[lane] != 0 || mote_polar3(basis, cell->rotation, stretch);
      cell->strain2 = found ? 0.0 : (double)NAN;
      for (int e = 0; e < 9; ++e)
        cell->strain2 += (basis[e] - cell->rotation[e]) * (basis[e] - cell->rotation[e]);
    }
  }
}

mote_result mote_lattice_rotations(const mote_lattice *lattice, mote_error *error) {
  mote_lattice own = *lattice;
  mote_parallel_for(own.threads, own.rows.count, ROWS_PER_CHUNK, rotation_chunk, &own);
  for (size_t i = 0; i < own.rows.count; ++i) {
    if (!isnan(own.cell[i].strain2)) continue;
    return mote_fail(error, MOTE_ERROR_NUMERIC, "lattice of a particle: %g", (double)NAN);
  }
  return MOTE_OK;
}

// --- Moments of a neighbourhood ----------------------------------------------------------------------------

static void sum_moments(const mote_lattice *m, size_t i, double K[9], double sum[3]) {
  const mote_lattice_law *law = &mote_lattice_part_of(m, i)->law;
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
  set3(0.0, 0.0, 0.0, sum);
  if (m->cell[i].pairs == (uint32_t)law->sites && m->rows.fraction == NULL) {  // it is isotropic
    xx = yy = law->moment, zz = law->dimensions == 3 ? law->moment : 0.0;
  } else {
    for (uint32_t k = 0; k < m->cell[i].pairs; ++k) {
      const mote_lattice_pair *pair = m->pair + SITES * i + k;
      const double *l = law->site[pair->site], w = pair->weight, x = w * l[0], y = w * l[1], z = w * l[2];
      xx += x * l[0], yy += y * l[1], zz += z * l[2], xy += x * l[1], xz += x * l[2], yz += y * l[2];
      set3(sum[0] + x, sum[1] + y, sum[2] + z, sum);
    }
  }
  set3(xx, xy, xz, K), set3(xy, yy, yz, K + 3), set3(xz, yz, zz, K + 6);
}

void mote_lattice_measure(const mote_lattice *lattice, size_t i) {
  const mote_lattice *m = lattice;
  const mote_lattice_law *law = &mote_lattice_part_of(m, i)->law;
  mote_lattice_cell *cell = m->cell + i;
  double K[9];
  sum_moments(m, i, K, cell->sum);
  double q = (K[0] + K[4] + K[8]) / law->dimensions, over = q > 0.0 ? 1.0 / q : 1.0;
  if (law->dimensions == 2) K[8] = q > 0.0 ? q : 1.0;
  for (int e = 0; e < 9; ++e) K[e] *= over;
  double c[9];
  cross3(K + 3, K + 6, c), cross3(K + 6, K, c + 3), cross3(K, K + 3, c + 6);
  double det = dot3(K, c);
  cell->inverse_moment = over;
  cell->thin = cell->pairs < (uint32_t)law->dimensions + 2 || !(q >= POOR_MOMENT * law->moment) ||
               !(det >= POOR_DETERMINANT);
  double scale = over / max2(det, POOR_DETERMINANT), steep[3];
  for (int e = 0; e < 9; ++e) c[e] *= scale;
  turn3(c, cell->sum, steep);
  cell->thin = cell->thin || !(dot3(steep, steep) * law->edge * law->edge <= POOR_STEEPNESS);
  for (int e = 0; e < 9; ++e) cell->inverse[e] = cell->thin ? 0.0 : c[e];
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

// Two rows; the second may be the first again.
typedef struct fit_pair {
  const mote_lattice_law *law[LANES];
  mote_lattice_cell *cell[LANES];
  double share[LANES];
  double B[LANES][9], sum[LANES][3];
  mote_pair A[9], R[9], G[9], h, strain2;
  mote_pair_mask good;  // whether A is near enough to a rotation
} fit_pair;

// The elastic part: A, R, and G of P.
static void fit_bases(fit_pair *f) {
  const mote_lattice_law *const *law = f->law;
  mote_pair K[9], off[9], P[9], trace = {-3.0, -3.0}, off2 = {0.0, 0.0};
  interleave(f->cell[0]->inverse, f->cell[1]->inverse, K);
  interleave(f->cell[0]->rotation, f->cell[1]->rotation, f->R);
  interleave(f->B[0], f->B[1], f->A);
  multiply(f->A, K, f->A);
  if (law[0]->dimensions == 2) {
    f->A[2] = f->A[5] = f->A[6] = f->A[7] = (mote_pair){0.0, 0.0}, f->A[8] = (mote_pair){1.0, 1.0};
    start_flat(f->A, f->R);
  }
  f->good = find_rotations(f->A, f->R);
  for (int e = 0; e < 9; ++e) off[e] = f->A[e] - f->R[e], trace += f->R[e] * f->A[e];
  for (int e = 0; e < 9; ++e) off2 += off[e] * off[e];
  f->strain2 = off2;  // |R (S - 1)|
  f->good &= (mote_pair_mask)(off2 <= POOR_STRAIN * POOR_STRAIN);
  mote_pair V = {f->share[0] * law[0]->volume, f->share[1] * law[1]->volume};
  mote_pair mu = {law[0]->mu, law[1]->mu}, lambda = {law[0]->lambda, law[1]->lambda};
  mote_pair over = {f->cell[0]->inverse_moment, f->cell[1]->inverse_moment};
  mote_pair shear = 2.0 * V * mu, pressure = V * lambda * trace;
  f->h = STIFFNESS_SHARE * shear * over;
  for (int e = 0; e < 9; ++e) P[e] = shear * off[e] + pressure * f->R[e];
  multiply(P, K, f->G);
  for (int e = 0; e < 9; ++e) f->G[e] -= f->h * f->A[e];
}

// Neighbourhoods too poor for A, and WIC06 (8): one rotation, and the stiffness k of a full lattice.
static double fit_restoring(const fit_pair *f, int lane, double G[9]) {
  const mote_lattice_law *law = f->law[lane];
  double *R = f->cell[lane]->rotation, h = 2.0 * f->share[lane] * law->mu * law->volume / law->moment;
  fit_rotation(f->B[lane], law->dimensions, R);
  for (int e = 0; e < 9; ++e) G[e] = -h * R[e];
  return h;
}

static void finish(const mote_lattice *m, size_t i, const fit_pair *f, int lane) {
  mote_lattice_cell *cell = f->cell[lane];
  double G[9], h = f->h[lane], *A = m->rows.basis + 9 * i;
  cell->poor = cell->thin || f->good[lane] == 0;
  cell->strain2 = cell->poor ? 0.0 : f->strain2[lane];
  if (!cell->poor) take_lane(f->A, lane, A), take_lane(f->R, lane, cell->rotation), take_lane(f->G, lane, G);
  if (cell->poor || f->law[lane]->restoring) h = fit_restoring(f, lane, G);
  if (cell->poor) {
    for (int e = 0; e < 9; ++e) A[e] = cell->rotation[e];
  }
  turn3(G, cell->sum, cell->own);
  step3(cell->own, h, f->sum[lane], cell->own);
  m->fit[i] = (mote_lattice_force){
      .column = {{G[0], G[3]}, {G[1], G[4]}, {G[2], G[5]}}, .row = {G[6], G[7], G[8]}, .h = h};
}

static void fit_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mote_lattice *m = data;
  for (size_t i = begin; i < end; i += LANES) {
    fit_pair f;
    const size_t row[LANES] = {i, i + 1 < end ? i + 1 : i};
    for (int lane = 0; lane < LANES; ++lane) {
      size_t r = row[lane];
      f.law[lane] = &mote_lattice_part_of(m, r)->law, f.cell[lane] = m->cell + r;
      f.share[lane] = m->rows.fraction == NULL ? 1.0 : (double)m->rows.fraction[r];
      sum_pairs(m, r, f.B[lane], f.sum[lane]);
    }
    fit_bases(&f);
    finish(m, row[0], &f, 0);
    if (row[1] != row[0]) finish(m, row[1], &f, 1);
  }
}

void mote_lattice_fit(mote_lattice *lattice) {
  mote_parallel_for(lattice->threads, lattice->rows.count, ROWS_PER_CHUNK, fit_chunk, lattice);
}
