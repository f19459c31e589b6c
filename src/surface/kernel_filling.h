// Filling ratio of a neighbourhood, and the kernel where it is sparse: sparse water is drawn as drops and
// threads, films without holes. Pure functions; docs/theory/anisotropy.md, "Sparse water".
#ifndef MOTE_KERNEL_FILLING_H
#define MOTE_KERNEL_FILLING_H

#include <stdbool.h>

#define MOTE_FULL_VARIANCE (3.0 / 20.0)  // exact: of a ball with the weight 1 - q^3, along each axis, r^2

// A neighbourhood. Lengths in spacings.
typedef struct mote_filling {
  double weight;       // sum of the weights (4.8)
  double filling;      // kappa: the weight over that of a full ellipsoid with these variances
  double extent;       // volume of that ellipsoid over that of a full neighbourhood
  double thickness;    // weight over that of a half space
  double offset;       // distance of the mean
  double variance[3];  // along the axes, descending
  bool whole;          // sparse water is drawn as if it were dense
} mote_filling;

// kappa. part: the weight over that of a full neighbourhood; covariance (xx, xy, xz, yy, yz, zz) in r^2;
// reach: r in spacings.
double mote_filling_kappa(double part, const double covariance[6], double reach);

// Changes the axes of a kernel, descending, in spacings. lone: radius of a lone kernel before growth; growth:
// compensates the volume that a mesh of this cell size cuts off. Returns the factor of the kernel; 0: it is
// that of a lone particle.
double mote_filling_shape(const mote_filling *near, double reach, double lone, double growth, double axis[3]);

#endif
