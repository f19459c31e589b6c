// Effective coefficients of the SPH operators: the ratio of what a form gives to the exact derivative of a
// long wave, by least squares, and the scatter about it, on ordered and disordered periodic sets.
#ifndef MOTE_COEFFICIENTS_H
#define MOTE_COEFFICIENTS_H

#include <mote/mote.h>

#include "validate/validate.h"

// Of unit spacing, one sample per cell of a periodic box.
enum {
  SET_PACKING,
  SET_TURNED,    // the packing, 45 degrees about z
  SET_SHEARED,   // x + 0.3 y
  SET_JITTERED,  // each coordinate moved by up to 0.15
  SET_RELAXED,   // from a random start, moved down the gradient of the concentration
  COEFFICIENT_SETS
};
enum { COEFFICIENT_SUPPORTS = 5, COEFFICIENT_KERNELS = 2, COEFFICIENT_PROBES = 13 };
#define COEFFICIENT_USUAL 2  // the support of 3 spacings: what --quick measures

extern const char *const coefficient_sets[COEFFICIENT_SETS];
extern const double coefficient_supports[COEFFICIENT_SUPPORTS];  // in spacings
extern const mote_kernel_kind coefficient_kernels[COEFFICIENT_KERNELS];

// The wave: a scalar, or a velocity across its direction or along it.
typedef enum probe_wave { WAVE_SCALAR, WAVE_SHEAR, WAVE_LONGITUDINAL } probe_wave;

// An operator on a wave.
typedef struct probe {
  const char *name;
  bool gradient;  // form is a mote_gradient_form, else a mote_laplacian_form
  int form;
  probe_wave wave;
  bool softened;  // with eps = 0.01 h^2, h = R/2, in place of the library's hundredth of it
} probe;

extern const probe coefficient_probes[COEFFICIENT_PROBES];

// The scatter is the RMS of what is left over the RMS of the exact values.
typedef struct coefficient {
  double ratio, scatter;
} coefficient;

typedef struct coefficients {
  int dimensions;
  coefficient at[COEFFICIENT_KERNELS][COEFFICIENT_SUPPORTS][COEFFICIENT_SETS][COEFFICIENT_PROBES];
} coefficients;

// Reports what went wrong and returns false.
bool coefficients_measure(validation *v, int dimensions, coefficients *c);

// What the ratio on the packing must be for waves much longer than the support, from sums over the packing
// alone; 0 for the plain Laplacian, which has no such limit.
double coefficients_of_packing(int dimensions, const mote_kernel *kernel, const probe *p);

#endif
