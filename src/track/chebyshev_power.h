// x^(3/2) on [0, 1] as x times a polynomial: for a symmetric matrix it is evaluated by products, without
// solves. The Chebyshev series of x^(3/2) in 2x - 1 has the coefficients
//
//   a_n = (-1)^n 24 / (pi (4 n^2 - 1) (4 n^2 - 9)),
//
// with the constant doubled for n = 0. The truncation error is at most 0.16 / degree^3 and of one sign at
// x = 0; with it added to the constant the sum is 0 there, nowhere below x^(3/2), and at most 0.32 / degree^3
// above it.
#ifndef MOTE_CHEBYSHEV_POWER_H
#define MOTE_CHEBYSHEV_POWER_H

// For a mesh, whose largest eigenvalue is about 24 / edge^2, the frequency of waves is accurate to 0.1 % at
// 16 edges per wavelength, to 4 % at 64.
#define MOTE_CHEBYSHEV_DEGREE 64

typedef struct mote_chebyshev_power {
  double c[MOTE_CHEBYSHEV_DEGREE];  // x^(3/2) = x sum_n c_n T_n(2x - 1)
} mote_chebyshev_power;

mote_chebyshev_power mote_chebyshev_power_make(void);

#endif
