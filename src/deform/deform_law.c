// The energy density of a sample and its derivatives: see deform_energy.h.
#include <mote/numeric.h>
#include <string.h>

#include "deform/deform_energy.h"
#include "geom/triple.h"

static void cofactor(const double F[9], double c[9]) {
  cross3(F + 3, F + 6, c), cross3(F + 6, F, c + 3), cross3(F, F + 3, c + 6);
}

// F^T F - 1
static void strain(const double F[9], double E[9]) {
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      double sum = F[i] * F[j] + F[3 + i] * F[3 + j] + F[6 + i] * F[6 + j] - (i == j ? 1.0 : 0.0);
      E[3 * i + j] = E[3 * j + i] = sum;
    }
  }
}

void mote_deform_law_energy(const mote_deform_law *law, const double F[9], double energy[2], double *J,
                            double *stress) {
  double E[9], c[9], square = 0.0;
  strain(F, E);
  for (int k = 0; k < 9; ++k) square += E[k] * E[k];
  *J = mote_deform_determinant(F);
  energy[0] = law->rigidity * square;
  energy[1] = law->volume * (*J - 1.0) * (*J - 1.0);
  if (stress == NULL) return;
  multiply3(F, E, stress);
  cofactor(F, c);
  for (int k = 0; k < 9; ++k)
    stress[k] = 4.0 * law->rigidity * stress[k] + 2.0 * law->volume * (*J - 1.0) * c[k];
}

// 2 lambda_3 (cof cof^T + (J - 1) d^2 J / dF^2)
static void add_volume(double volume, const double F[9], double K[9][9]) {
  static const int next[3] = {1, 2, 0};
  double c[9], J = mote_deform_determinant(F), bend = 2.0 * volume * (J - 1.0);
  cofactor(F, c);
  for (int p = 0; p < 9; ++p)
    for (int q = 0; q < 9; ++q) K[p][q] += 2.0 * volume * c[p] * c[q];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      // d cof_ij: cof_ij = F_i'j' F_i''j'' - F_i'j'' F_i''j', primes: the next indices, cyclic
      int i1 = next[i], i2 = next[i1], j1 = next[j], j2 = next[j1], p = 3 * i + j;
      K[p][3 * i1 + j1] += bend * F[3 * i2 + j2], K[p][3 * i2 + j2] += bend * F[3 * i1 + j1];
      K[p][3 * i1 + j2] -= bend * F[3 * i2 + j1], K[p][3 * i2 + j1] -= bend * F[3 * i1 + j2];
    }
  }
}

static void exact(const mote_deform_law *law, const double F[9], double K[9][9]) {
  double E[9], R[9], four = 4.0 * law->rigidity;
  strain(F, E);
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) R[3 * i + k] = dot3(F + 3 * i, F + 3 * k);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 3; ++k) {
        for (int l = 0; l < 3; ++l) {
          double sum = F[3 * i + l] * F[3 * k + j];
          if (j == l) sum += R[3 * i + k];
          if (i == k) sum += E[3 * j + l];
          K[3 * i + j][3 * k + l] = four * sum;
        }
      }
    }
  }
  add_volume(law->volume, F, K);
}

static void add_mode(double value, const double D[9], double K[9][9]) {
  if (!(value > 0.0)) return;
  for (int p = 0; p < 9; ++p)
    for (int q = 0; q < 9; ++q) K[p][q] += value * D[p] * D[q];
}

// sum over i, j of m_ij u_i v_j^T
static void mode_of(const double u[9], const double v[9], const double m[9], double D[9]) {
  double um[9];
  multiply3(u, m, um);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) D[3 * i + j] = dot3(um + 3 * i, v + 3 * j);
}

static void stretch_modes(const mote_deform_law *law, const double s[3], double values[3],
                          double vectors[9]) {
  double J = s[0] * s[1] * s[2], H[9], Ji[3] = {s[1] * s[2], s[2] * s[0], s[0] * s[1]};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      H[3 * i + j] = 2.0 * law->volume * (Ji[i] * Ji[j] + (i == j ? 0.0 : (J - 1.0) * s[3 - i - j]));
      if (i == j) H[3 * i + j] += 4.0 * law->rigidity * (3.0 * s[i] * s[i] - 1.0);
    }
  }
  if (!mote_eigen3(H, values, vectors)) values[0] = values[1] = values[2] = 0.0;
}

static void positive_part(const mote_deform_law *law, const double F[9], double K[9][9]) {
  double u[9], s[3], v[9], values[3], vectors[9], m[9], D[9];
  memset(K, 0, 81 * sizeof(double));
  if (!mote_svd3(F, u, s, v)) return;
  stretch_modes(law, s, values, vectors);
  for (int k = 0; k < 3; ++k) {
    memset(m, 0, sizeof m);
    for (int i = 0; i < 3; ++i) m[4 * i] = vectors[3 * i + k];
    mode_of(u, v, m, D);
    add_mode(values[k], D, K);
  }
  double bend = 2.0 * law->volume * (s[0] * s[1] * s[2] - 1.0), root = sqrt(0.5);
  for (int k = 0; k < 3; ++k) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    double squares = s[i] * s[i] + s[j] * s[j] - 1.0, product = s[i] * s[j];
    for (int sign = 1; sign >= -1; sign -= 2) {
      memset(m, 0, sizeof m);
      m[3 * i + j] = root, m[3 * j + i] = sign * root;
      mode_of(u, v, m, D);
      add_mode(4.0 * law->rigidity * (squares + sign * product) - sign * bend * s[k], D, K);
    }
  }
}

void mote_deform_law_hessian(const mote_deform_law *law, const double F[9], bool positive, double K[9][9]) {
  if (positive) {
    positive_part(law, F, K);
  } else {
    exact(law, F, K);
  }
}
