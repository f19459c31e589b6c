// Smoothing kernels by their support radius: normalisation, and the public functions on the shapes of
// kernel.h. EG09 2.1 and appendix A, DES96 3.2, YU11 (3.14) and (4.4).
#include "approx/kernel.h"

#define INVERSE_PI 0.31830988618379067154  // exact

// One over the integral of P(|x|) over the unit ball in 1, 2 and 3 dimensions: docs/theory/approximation.md.
static const double unit_scale[MOTE_KERNEL_KINDS][3] = {
    [MOTE_KERNEL_POLY6] = {35.0 / 32.0, 4.0 * INVERSE_PI, 315.0 / 64.0 * INVERSE_PI},
    [MOTE_KERNEL_SPIKY] = {2.0, 10.0 * INVERSE_PI, 15.0 * INVERSE_PI},
    [MOTE_KERNEL_CUBIC_SPLINE] = {1.0 / 3.0, 10.0 / 7.0 * INVERSE_PI, 2.0 * INVERSE_PI},
    [MOTE_KERNEL_DESBRUN] = {1.0 / 4.0, 5.0 / 4.0 * INVERSE_PI, 15.0 / 8.0 * INVERSE_PI},
    [MOTE_KERNEL_WENDLAND_C2] = {5.0 / 4.0, 7.0 * INVERSE_PI, 21.0 / 2.0 * INVERSE_PI},
    [MOTE_KERNEL_GAUSSIAN] = {1.6933135540221527885, 2.8683287745753813783, 4.8631811967693515442},
    [MOTE_KERNEL_SINGULAR] = {35.0 / 64.0, 315.0 / 64.0 * INVERSE_PI, 1155.0 / 128.0 * INVERSE_PI},
};

mote_kernel mote_kernel_make(mote_kernel_kind kind, int dimensions, double radius) {
  bool known = (int)kind >= 0 && kind < MOTE_KERNEL_KINDS && dimensions >= 1 && dimensions <= 3;
  if (!known || !(radius > 0.0)) return (mote_kernel){.kind = MOTE_KERNEL_POLY6};
  double volume = radius;
  for (int axis = 1; axis < dimensions; ++axis) volume *= radius;
  double scale = unit_scale[kind][dimensions - 1] / volume;
  // The Laplacian's factor scale/R^2 must be a number too.
  if (!(scale > 0.0) || !isfinite(scale / radius / radius)) return (mote_kernel){.kind = MOTE_KERNEL_POLY6};
  return (mote_kernel){.kind = kind, .dimensions = dimensions, .radius = radius, .scale = scale};
}

const char *mote_kernel_name(mote_kernel_kind kind) {
  switch (kind) {
    case MOTE_KERNEL_POLY6: return "poly6";
    case MOTE_KERNEL_SPIKY: return "spiky";
    case MOTE_KERNEL_CUBIC_SPLINE: return "cubic spline";
    case MOTE_KERNEL_DESBRUN: return "desbrun";
    case MOTE_KERNEL_WENDLAND_C2: return "wendland c2";
    case MOTE_KERNEL_GAUSSIAN: return "gaussian";
    case MOTE_KERNEL_SINGULAR: return "singular";
    case MOTE_KERNEL_KINDS: break;
  }
  return "unknown";
}

double mote_kernel_value(const mote_kernel *kernel, double r) {
  mote_pair_kernel ready = mote_kernel_ready(kernel);
  return mote_pair_value(&ready, r);
}

double mote_kernel_derivative(const mote_kernel *kernel, double r) {
  mote_pair_kernel ready = mote_kernel_ready(kernel);
  // Nearer than this P'/q overflows, and the slope has long reached its limit.
  if (r > 0.0 && r < 1e-200 * kernel->radius) r = 1e-200 * kernel->radius;
  return mote_pair_gradient_factor(&ready, r) * r;
}

double mote_kernel_second(const mote_kernel *kernel, double r) {
  mote_pair_kernel ready = mote_kernel_ready(kernel);
  return mote_pair_second(&ready, r);
}

double mote_kernel_laplacian(const mote_kernel *kernel, double r) {
  mote_pair_kernel ready = mote_kernel_ready(kernel);
  return mote_pair_laplacian(&ready, r);
}

void mote_kernel_gradient(const mote_kernel *kernel, const double xij[3], double out[3]) {
  double x[3] = {0.0, 0.0, 0.0}, square = 0.0;
  for (int axis = 0; axis < kernel->dimensions; ++axis) {
    x[axis] = xij[axis];
    square += x[axis] * x[axis];
  }
  mote_pair_kernel ready = mote_kernel_ready(kernel);
  double gradient_factor = mote_pair_gradient_factor(&ready, sqrt(square));
  for (int axis = 0; axis < 3; ++axis) out[axis] = gradient_factor * x[axis];
}

double mote_kernel_anisotropic(const mote_kernel *kernel, const double G[6], const double r[3]) {
  int d = kernel->dimensions;
  if (d == 0) return 0.0;
  // Beyond the dimensions G is the identity and r is 0.
  double xx = G[0], xy = d > 1 ? G[1] : 0.0, yy = d > 1 ? G[3] : 1.0;
  double xz = d > 2 ? G[2] : 0.0, yz = d > 2 ? G[4] : 0.0, zz = d > 2 ? G[5] : 1.0;
  double x = r[0], y = d > 1 ? r[1] : 0.0, z = d > 2 ? r[2] : 0.0;
  double u = xx * x + xy * y + xz * z, v = xy * x + yy * y + yz * z, w = xz * x + yz * y + zz * z;
  double q = sqrt(u * u + v * v + w * w);
  if (q >= 1.0) return 0.0;
  double det = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  return unit_scale[kernel->kind][d - 1] * det * mote_shape_value(kernel->kind, d, q);
}
