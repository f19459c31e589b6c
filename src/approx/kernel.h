// The shapes P(q) of the smoothing kernels, 0 <= q = r/R < 1, as pure functions: value, gradient factor
// P'(q)/q and second derivative P''(q). A kernel is W(r) = scale P(r/R); its gradient is scale/R^2 times
// the gradient factor times x_ij, without a division by r for the smooth
// kernels. EG09 (86)-(97), YU11 (3.14), DES96 3.2, Wendland 1995; the table of formulas
// and constants with its derivation is docs/theory/approximation.md.
#ifndef MOTE_KERNEL_H
#define MOTE_KERNEL_H

#include <math.h>
#include <mote/approx.h>
#include <mote/numeric.h>

#define MOTE_EXP_MINUS_9 1.2340980408667954950e-4  // exact: where the Gaussian is cut

static inline double mote_shape_value(mote_kernel_kind kind, int dimensions, double q) {
  double t = 1.0 - q, eta = 2.0 * q;
  switch (kind) {
    case MOTE_KERNEL_POLY6: return (1.0 - q * q) * (1.0 - q * q) * (1.0 - q * q);
    case MOTE_KERNEL_SPIKY: return t * t * t;
    case MOTE_KERNEL_CUBIC_SPLINE: {
      double outer = 2.0 - eta, inner = 1.0 - eta;
      return outer * outer * outer - (inner > 0.0 ? 4.0 * inner * inner * inner : 0.0);
    }
    case MOTE_KERNEL_DESBRUN: return (2.0 - eta) * (2.0 - eta) * (2.0 - eta);
    case MOTE_KERNEL_WENDLAND_C2:
      return dimensions == 1 ? t * t * t * (1.0 + 3.0 * q) : (t * t) * (t * t) * (1.0 + 4.0 * q);
    case MOTE_KERNEL_GAUSSIAN: return mote_exp(-9.0 * (q * q)) - MOTE_EXP_MINUS_9;
    case MOTE_KERNEL_SINGULAR: return t * t * t / sqrt(q);
    case MOTE_KERNEL_KINDS: break;
  }
  return 0.0;
}

// P'(q)/q; at q = 0 minus infinity for the kernels with a peak there: spiky, Desbrun, singular.
static inline double mote_shape_gradient_factor(mote_kernel_kind kind, int dimensions, double q) {
  double t = 1.0 - q, eta = 2.0 * q;
  switch (kind) {
    case MOTE_KERNEL_POLY6: return -6.0 * (1.0 - q * q) * (1.0 - q * q);
    case MOTE_KERNEL_SPIKY: return -3.0 * t * t / q;
    case MOTE_KERNEL_CUBIC_SPLINE:
      return eta < 1.0 ? 36.0 * eta - 48.0 : -6.0 * (2.0 - eta) * (2.0 - eta) / q;
    case MOTE_KERNEL_DESBRUN: return -6.0 * (2.0 - eta) * (2.0 - eta) / q;
    case MOTE_KERNEL_WENDLAND_C2: return dimensions == 1 ? -12.0 * t * t : -20.0 * t * t * t;
    case MOTE_KERNEL_GAUSSIAN: return -18.0 * mote_exp(-9.0 * (q * q));
    case MOTE_KERNEL_SINGULAR: return -0.5 * t * t * (1.0 + 5.0 * q) / (q * q * sqrt(q));
    case MOTE_KERNEL_KINDS: break;
  }
  return 0.0;
}

// The Laplacian of q^(-1/2) (1-q)^3, power by power: that of q^a is a (a+d-2) q^(a-2).
static inline double mote_shape_singular_laplacian(int dimensions, double q) {
  double d = dimensions;
  double c0 = -0.5 * (d - 2.5), c1 = -1.5 * (d - 1.5), c2 = 4.5 * (d - 0.5), c3 = -2.5 * (d + 0.5);
  return (c0 + q * (c1 + q * (c2 + q * c3))) / (q * q * sqrt(q));
}

static inline double mote_shape_second(mote_kernel_kind kind, int dimensions, double q) {
  double t = 1.0 - q, eta = 2.0 * q;
  switch (kind) {
    case MOTE_KERNEL_POLY6: return 6.0 * (1.0 - q * q) * (5.0 * q * q - 1.0);
    case MOTE_KERNEL_SPIKY: return 6.0 * t;
    case MOTE_KERNEL_CUBIC_SPLINE: return eta < 1.0 ? 72.0 * eta - 48.0 : 24.0 * (2.0 - eta);
    case MOTE_KERNEL_DESBRUN: return 24.0 * (2.0 - eta);
    case MOTE_KERNEL_WENDLAND_C2:
      return dimensions == 1 ? 12.0 * t * (3.0 * q - 1.0) : 20.0 * t * t * (4.0 * q - 1.0);
    case MOTE_KERNEL_GAUSSIAN: return (324.0 * q * q - 18.0) * mote_exp(-9.0 * (q * q));
    case MOTE_KERNEL_SINGULAR: return mote_shape_singular_laplacian(1, q);
    case MOTE_KERNEL_KINDS: break;
  }
  return 0.0;
}

// P'' + (d-1) P'/q, the true Laplacian: EG09 (11) prints P'' alone, which holds in 1D only.
static inline double mote_shape_laplacian(mote_kernel_kind kind, int dimensions, double q) {
  if (kind == MOTE_KERNEL_SINGULAR) return mote_shape_singular_laplacian(dimensions, q);
  double second = mote_shape_second(kind, dimensions, q);
  return dimensions == 1 ? second
                         : second + (dimensions - 1) * mote_shape_gradient_factor(kind, dimensions, q);
}

// A kernel prepared for pair loops, with as few divisions as possible.
typedef struct mote_pair_kernel {
  mote_kernel_kind kind;
  int dimensions;
  double radius, inverse;  // R, 1/R
  double scale, slope;     // of values; of derivatives over r, and of Laplacians: scale/R^2
} mote_pair_kernel;

static inline mote_pair_kernel mote_kernel_ready(const mote_kernel *kernel) {
  double inverse = 1.0 / kernel->radius;
  return (mote_pair_kernel){.kind = kernel->kind,
                            .dimensions = kernel->dimensions,
                            .radius = kernel->radius,
                            .inverse = inverse,
                            .scale = kernel->scale,
                            .slope = kernel->scale * (inverse * inverse)};
}

static inline double mote_pair_value(const mote_pair_kernel *k, double r) {
  return r >= k->radius ? 0.0 : k->scale * mote_shape_value(k->kind, k->dimensions, r * k->inverse);
}

// c(r) of grad W = c x_ij; 0 at r = 0, where the gradient vanishes by symmetry.
static inline double mote_pair_gradient_factor(const mote_pair_kernel *k, double r) {
  if (r >= k->radius || r == 0.0) return 0.0;
  return k->slope * mote_shape_gradient_factor(k->kind, k->dimensions, r * k->inverse);
}

static inline double mote_pair_second(const mote_pair_kernel *k, double r) {
  return r >= k->radius ? 0.0 : k->slope * mote_shape_second(k->kind, k->dimensions, r * k->inverse);
}

static inline double mote_pair_laplacian(const mote_pair_kernel *k, double r) {
  return r >= k->radius ? 0.0 : k->slope * mote_shape_laplacian(k->kind, k->dimensions, r * k->inverse);
}

#endif
