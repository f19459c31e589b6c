// The inverse square root of a symmetric matrix by a few shifted solves (Hale, Higham & Trefethen 2008,
// method 3; Zolotarev's rational function):
//
//   M^(-1/2) = sum_j weight_j (M + shift_j)^(-1),   eigenvalues of M in [low, high].
//
// The relative error of four is 5.5e-3 for high / low = 10^4, and 9e-5 for 100.
#ifndef MOTE_SHIFTED_ROOT_H
#define MOTE_SHIFTED_ROOT_H

#define MOTE_SHIFTS 4

typedef struct mote_shifted_root {
  double shift[MOTE_SHIFTS], weight[MOTE_SHIFTS];
} mote_shifted_root;

// 0 < low < high.
mote_shifted_root mote_shifted_root_make(double low, double high);

// The scalar function, for tests.
double mote_shifted_root_value(const mote_shifted_root *root, double x);

#endif
